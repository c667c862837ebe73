import { describe, expect, it } from 'vitest';
import { parseNftTable, parseNftTables } from './nft-tables.ts';

const output = (...entries: readonly object[]): string =>
  JSON.stringify({ nftables: [{ metainfo: { version: '1.0.6' } }, ...entries] });
const rule = (...expr: readonly object[]) => ({ rule: { family: 'ip', table: 'hidden', chain: 'c', handle: 2, expr } });
const xt = { xt: { type: 'match', name: 'set' } };

describe('parseNftTable', () => {
  it('shows a compat set match as a possible holder', () => {
    expect(parseNftTable(output(rule(xt)))?.compat).toEqual([
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

  it('counts match and target of one rule', () => {
    const target = { xt: { type: 'target', name: 'SET' } };
    expect(parseNftTable(output(rule(xt, { counter: null }, target)))?.compat[0]?.count).toBe(2);
  });

  it('takes no other match for one, and names the native sets', () => {
    const set = { set: { family: 'inet', name: 'bl', table: 'firewalld', type: 'ipv4_addr', handle: 1 } };
    expect(parseNftTable(output(set, rule({ xt: { type: 'match', name: 'comment' } })))).toEqual({
      compat: [],
      nativeSets: ['bl'],
    });
  });

  it('says when the text is not what nft prints', () => {
    expect(parseNftTable('{"nftables": [')).toBeUndefined();
    expect(parseNftTables('[]')).toBeUndefined();
  });
});

describe('parseNftTables', () => {
  it('lists tables of all families', () => {
    const tables = output(
      { table: { family: 'ip', name: 'filter', handle: 3 } },
      { table: { family: 'inet', name: 'firewalld', handle: 4 } },
    );
    expect(parseNftTables(tables)).toEqual([
      { family: 'ip', name: 'filter' },
      { family: 'inet', name: 'firewalld' },
    ]);
  });
});
