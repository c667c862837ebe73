import { readFileSync } from 'node:fs';
import type { Holder } from '@setkeeper/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownNames } from './known-names.ts';
import { RulesParser, type RulesTool } from './rules-parser.ts';

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'latin1');
const NAMES = ['blk', 'blk6', 'wl', 'odd name', 'odd', 'grp', 'lg', 'say "so', 'm'];

function read(text: string, o: { tool?: RulesTool; names?: readonly string[]; chunk?: number } = {}) {
  const holders: (readonly [set: string, holder: Holder])[] = [];
  const parser = new RulesParser(o.tool ?? 'iptables-nft', new KnownNames(o.names ?? NAMES), (set, holder) =>
    holders.push([set, holder]),
  );
  const bytes = Buffer.from(text, 'latin1');
  const size = o.chunk ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  return { holders, summary: parser.end() };
}

function counts(text: string, o?: { names?: readonly string[]; chunk?: number }): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [set, { count }] of read(text, o).holders) sums[set] = (sums[set] ?? 0) + count;
  return sums;
}

const filter = (...rules: readonly string[]): string => `*filter\n${rules.join('\n')}\nCOMMIT\n`;

describe('RulesParser', () => {
  it('finds every rule that uses a set, in every table', () => {
    expect(counts(fixture('13-holders.iptables-save'))).toEqual({ grp: 1, blk: 3, 'odd name': 1, wl: 2 });
  });

  it('finds the legacy rules', () => {
    expect(counts(fixture('13-holders.iptables-legacy-save'))).toEqual({ lg: 1 });
  });

  it('reads the same whatever the size of chunks', () => {
    const text = fixture('13-holders.iptables-save');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (chunk) => {
        expect(read(text, { chunk })).toEqual(read(text));
      }),
    );
  });

  it('never takes a comment for a holder, quoted or not', () => {
    const quoted = '-A INPUT -m comment --comment "a \\" --match-set lg src" -m set --match-set wl src -j DROP';
    const bare = '-A INPUT -m comment --comment --match-set -m set ! --match-set wl src --return-nomatch -j DROP';
    const target = '-A INPUT -m comment --comment --add-set -j SET --add-set wl src';
    expect(counts(filter(quoted, bare, target))).toEqual({ wl: 3 });
    expect(read(filter(quoted, bare, target)).summary.unknown).toEqual([]);
  });

  it('is not fooled by a comment with a newline and what looks like a rule', () => {
    const rule =
      '-A INPUT -m set --match-set wl src -m comment --comment "two\n-A INPUT -m set --match-set blk src" -j DROP';
    for (const chunk of [1, 7, 1000]) {
      const { holders, summary } = read(filter(rule, '-A INPUT -m set --match-set blk dst'), { chunk });
      expect(holders.map(([set, { where }]) => [set, where])).toEqual([
        ['wl', 'filter INPUT 1'],
        ['blk', 'filter INPUT 2'],
      ]);
      expect(summary).toMatchObject({ rules: 2, isCut: false });
    }
  });

  it('finds a name with a quote, which opens no string', () => {
    const rules = filter('-A INPUT -m set --match-set say "so src -j DROP', '-A INPUT -m set --match-set blk src');
    expect(counts(rules)).toEqual({ 'say "so': 1, blk: 1 });
  });

  it('prefers the longest name that exists', () => {
    expect(counts(filter('-A INPUT -m set --match-set odd src src -j DROP'), { names: ['odd', 'odd src'] })).toEqual({
      'odd src': 1,
    });
  });

  it('counts a set that one rule names twice as two references', () => {
    expect(counts(filter('-A INPUT -m set --match-set wl src -m set ! --match-set wl dst -j DROP'))).toEqual({ wl: 2 });
    expect(counts(filter('-A OUTPUT -j SET --add-set wl dst --del-set wl src'))).toEqual({ wl: 2 });
    expect(counts(filter('-A OUTPUT -j SET --map-set m dst,dst --map-mark'))).toEqual({ m: 1 });
  });

  it('finds names of any bytes', () => {
    const utf8 = Buffer.from('größe', 'utf8').toString('latin1');
    const names = ['größe', 'gr\u00f6n'];
    const rules = filter(`-A INPUT -m set --match-set ${utf8} src`, '-A INPUT -m set --match-set gr\u00f6n src');
    expect(counts(rules, { names })).toEqual({ größe: 1, 'gr\u00f6n': 1 });
  });

  it('numbers rules per chain, keeps counters and says how to remove exactly this rule', () => {
    const text =
      '*raw\n:PREROUTING ACCEPT [0:0]\n[1:2] -A PREROUTING -j ACCEPT\n[184467:9] -A PREROUTING -m set --match-set wl src -j DROP\nCOMMIT\n';
    expect(read(text, { tool: 'ip6tables-legacy' }).holders).toEqual([
      [
        'wl',
        {
          kind: 'ip6tables-legacy',
          where: 'raw PREROUTING 2',
          table: 'raw',
          chain: 'PREROUTING',
          number: 2,
          rule: '-A PREROUTING -m set --match-set wl src -j DROP',
          packets: '184467',
          bytes: '9',
          count: 1,
          removeWith: 'ip6tables-legacy -t raw -D PREROUTING -m set --match-set wl src -j DROP',
        },
      ],
    ]);
  });

  it('quotes what a shell would run', () => {
    const rule = String.raw`-A ch$x -m set --match-set odd name src -j LOG --log-prefix "$(touch /x) ${'`b`'} it\'s \"q\" "`;
    expect(read(filter(rule)).holders[0]?.[1].removeWith).toBe(
      `iptables-nft -t filter -D 'ch$x' -m set --match-set 'odd name' src -j LOG --log-prefix '$(touch /x) \`b\` it'\\''s "q" '`,
    );
  });

  it('shows a rule whose set it cannot name, and tables that the tool refuses', () => {
    const text = `# Table \`nat' is incompatible, use 'nft' tool.\n${filter('-A INPUT -m set --match-set gone src -j DROP')}`;
    expect(read(text).summary).toMatchObject({
      unknown: ['filter: -A INPUT -m set --match-set gone src -j DROP'],
      incompatible: ['nat'],
    });
  });

  it('says when the output ends inside a table', () => {
    expect(read('*filter\n-A INPUT -j DROP\n').summary.isCut).toBe(true);
    expect(read(filter('-A INPUT -j DROP')).summary.isCut).toBe(false);
  });
});
