import { describe, expect, it } from 'vitest';
import { usageWords } from './usage-words.ts';
import { type VerdictFacts, verdictSentence } from './verdict.ts';

const facts = (over: Partial<VerdictFacts>): VerdictFacts => ({
  address: '203.0.113.9',
  name: 'sk-v4-t.web',
  group: 'tag:web',
  kind: undefined,
  matched: true,
  excluded: false,
  by: ['203.0.113.9'],
  desired: true,
  gap: null,
  owners: [],
  usedBy: [],
  isUseKnown: true,
  whyNot: [],
  ...over,
});

describe('verdictSentence', () => {
  it('says what a set is, and what uses it', () => {
    const usedBy = ['INPUT rule 3 DROP'];
    expect(
      verdictSentence(facts({ name: 'f2b-sshd', group: undefined, kind: 'foreign, fail2ban by its name', usedBy })),
    ).toBe('203.0.113.9 is in f2b-sshd (foreign, fail2ban by its name), used by INPUT rule 3 DROP');
    expect(verdictSentence(facts({}))).toBe('203.0.113.9 is in tag:web (sk-v4-t.web); no rule uses it');
    expect(verdictSentence(facts({ isUseKnown: false }))).toContain('what uses it could not all be read');
    expect(verdictSentence(facts({ usedBy: ['1', '2', '3', '4', '5'] }))).toContain('used by 1, 2, 3 and 2 more');
  });

  it('never says that an address is in a set because the model wants it there', () => {
    expect(verdictSentence(facts({ matched: false, gap: 'the set has no room (maxelem 5)' }))).toBe(
      '203.0.113.9 is NOT in tag:web (sk-v4-t.web) though the model wants it: the set has no room (maxelem 5)',
    );
    expect(verdictSentence(facts({ desired: false, gap: 'its removals are held (h1)' }))).toContain(
      'is in tag:web (sk-v4-t.web) though the model does not want it: its removals are held (h1)',
    );
  });
});

describe('usageWords', () => {
  const rule = {
    kind: 'iptables-nft',
    where: 'filter INPUT 3',
    table: 'filter',
    chain: 'INPUT',
    number: 3,
    count: 1,
  } as const;

  it('reads like a rule', () => {
    expect(usageWords({ ...rule, rule: '-A INPUT -m set --match-set a src -j DROP' })).toBe('INPUT rule 3 DROP');
    expect(usageWords({ ...rule, kind: 'ip6tables-legacy', table: 'raw', rule: '-A INPUT -g other' })).toBe(
      'raw INPUT rule 3 other (IPv6)',
    );
    expect(usageWords({ kind: 'list-set', where: 'list trusted', count: 1 })).toBe('list trusted');
  });
});
