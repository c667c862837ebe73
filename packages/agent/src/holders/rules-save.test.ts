import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readRules, shellWord } from './rules-save.ts';

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const names = new Set(['blk', 'blk6', 'wl', 'odd name', 'odd', 'grp', 'lg']);
const byName = (text: string) => {
  const counts: Record<string, number> = {};
  for (const { set, holder } of readRules(text, 'iptables-nft', names).mentions)
    counts[set] = (counts[set] ?? 0) + holder.count;
  return counts;
};

describe('readRules', () => {
  it('finds every rule that uses a set, in every table', () => {
    expect(byName(fixture('13-holders.iptables-save'))).toEqual({ grp: 1, blk: 3, 'odd name': 1, wl: 2 });
  });

  it('finds the legacy rules', () => {
    expect(byName(fixture('13-holders.iptables-legacy-save'))).toEqual({ lg: 1 });
  });

  it('never takes a comment for a holder', () => {
    const text =
      '*filter\n-A INPUT -m comment --comment "a \\" --match-set lg src" -m set --match-set wl src -j DROP\nCOMMIT\n';
    expect(byName(text)).toEqual({ wl: 1 });
  });

  it('prefers the longest name that exists', () => {
    const text = '*filter\n-A INPUT -m set --match-set odd src src -j DROP\nCOMMIT\n';
    expect(readRules(text, 'iptables-nft', new Set(['odd', 'odd src'])).mentions.map((mention) => mention.set)).toEqual(
      ['odd src'],
    );
  });

  it('counts a set that one rule names twice as two references', () => {
    const text = '*filter\n-A INPUT -m set --match-set wl src -m set ! --match-set wl dst -j DROP\nCOMMIT\n';
    expect(byName(text)).toEqual({ wl: 2 });
  });

  it('numbers rules per chain, keeps counters and says how to remove them', () => {
    const text =
      '*raw\n:PREROUTING ACCEPT [0:0]\n[1:2] -A PREROUTING -j ACCEPT\n[184467:9] -A PREROUTING -m set --match-set wl src -j DROP\nCOMMIT\n';
    expect(readRules(text, 'ip6tables-legacy', names).mentions[0]?.holder).toEqual({
      kind: 'ip6tables-legacy',
      where: 'raw PREROUTING 2',
      table: 'raw',
      chain: 'PREROUTING',
      number: 2,
      rule: '-A PREROUTING -m set --match-set wl src -j DROP',
      packets: '184467',
      bytes: '9',
      count: 1,
      removeWith: 'ip6tables-legacy -t raw -D PREROUTING 2',
    });
  });

  it('shows a rule whose set it cannot name', () => {
    const text = '*filter\n-A INPUT -m set --match-set gone src -j DROP\nCOMMIT\n';
    expect(readRules(text, 'iptables-nft', names).unknown).toEqual([
      'filter: -A INPUT -m set --match-set gone src -j DROP',
    ]);
  });
});

describe('shellWord', () => {
  it('quotes what a shell would read', () => {
    expect(shellWord("a b'c$(x)")).toBe("'a b'\\''c$(x)'");
    expect(shellWord('INPUT')).toBe('INPUT');
  });
});
