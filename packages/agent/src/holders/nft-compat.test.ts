import { describe, expect, it } from 'vitest';
import { readNftCompat } from './nft-compat.ts';

const ruleset = (...rules: object[]) =>
  JSON.stringify({ nftables: [{ metainfo: {} }, ...rules.map((rule) => ({ rule }))] });
const xt = { xt: { type: 'match', name: 'set' } };

describe('readNftCompat', () => {
  it('shows a compat set match in a foreign table as a possible holder', () => {
    expect(readNftCompat(ruleset({ family: 'ip', table: 'hidden', chain: 'c', handle: 2, expr: [xt] }))).toEqual([
      {
        kind: 'nft-compat',
        where: 'ip hidden c handle 2',
        table: 'hidden',
        chain: 'c',
        count: 1,
        removeWith: 'nft delete rule ip hidden c handle 2',
      },
    ]);
  });

  it('leaves to iptables-save the tables that it prints', () => {
    expect(readNftCompat(ruleset({ family: 'ip', table: 'filter', chain: 'INPUT', handle: 2, expr: [xt] }))).toEqual(
      [],
    );
  });

  it('ignores other matches and says when the text is not what it expects', () => {
    const other = { xt: { type: 'match', name: 'comment' } };
    expect(
      readNftCompat(ruleset({ family: 'ip', table: 'x', chain: 'c', handle: 2, expr: [other, { counter: null }] })),
    ).toEqual([]);
    expect(readNftCompat('cut {')).toBeUndefined();
  });
});
