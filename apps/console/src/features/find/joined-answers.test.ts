import { expect, it } from 'vitest';
import type { Explanation } from '../../client/api-types.ts';
import { joinedAnswers } from './joined-answers.ts';

const verdict = (name: string, matched: boolean): Explanation['sets'][number] => ({
  name,
  family: 'inet',
  type: 'hash:ip',
  foreign: !name.startsWith('sk-'),
  matched,
  excluded: false,
  owners: [],
  inKernel: matched,
  since: null,
  event: null,
  run: null,
  line: null,
  usedBy: [],
  by: [],
  desired: matched,
  via: [],
  verdict: name,
});

const answer = (sets: Explanation['sets'], why: string[]): Explanation => ({
  address: '203.0.113.9',
  sets,
  endpoints: [],
  unreadable: [],
  why,
});

it('says of a group why not without losing the sets that the address is in', () => {
  const host = answer([verdict('f2b-sshd', true)], ['seen by fail2ban']);
  const ofGroup = answer([verdict('sk-v4-t.web', false)], ['seen by fail2ban', 'nothing owns it']);
  const joined = joinedAnswers(host, ofGroup);
  expect(joined.sets.map(({ name, matched }) => [name, matched])).toEqual([
    ['sk-v4-t.web', false],
    ['f2b-sshd', true],
  ]);
  expect(joined.why).toEqual(['seen by fail2ban', 'nothing owns it']);
});

it('shows a set once when the group has the address', () => {
  const host = answer([verdict('sk-v4-t.web', true), verdict('f2b-sshd', true)], []);
  const joined = joinedAnswers(host, answer([verdict('sk-v4-t.web', true)], []));
  expect(joined.sets.map(({ name }) => name)).toEqual(['sk-v4-t.web', 'f2b-sshd']);
  expect(joinedAnswers(host, undefined)).toBe(host);
});
