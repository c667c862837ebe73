import type { Holder } from '@setkeeper/api';
import { type ListedSet, parseGroupId, parseSetName } from '@setkeeper/ipset';
import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type HolderReading, NO_HOLDERS } from '../holders/holder-reading.ts';
import { judgeLeftovers as judge, type LeftoverRules } from './judge-leftovers.ts';

const listed = (...sets: readonly (readonly [name: string, references: number, type?: string])[]) =>
  listedSets(
    ...sets.map(([name, references, type]) => ({
      name,
      references,
      entries: 1,
      ...(type === undefined ? {} : { type }),
    })),
  );

const web = parseGroupId('tag:web');
const rules = (over: Partial<LeftoverRules> = {}): LeftoverRules => ({
  prefix: 'sk-',
  formerPrefixes: ['felix-', 'azure-npm-'],
  managedGroup: (name) => (name === 'sk-v4-t.web' && web.ok ? web.id : undefined),
  isInternal: (name) => name === 'sk-ack-live',
  ownFormWaitsFor: null,
  isIgnored: () => false,
  ...over,
});
const reading = (holders: Record<string, Holder[]>): HolderReading => ({
  ...NO_HOLDERS,
  holders: new Map(Object.entries(holders)),
});
const judgeLeftovers = (
  sets: readonly ListedSet[],
  holders: HolderReading,
  own: LeftoverRules,
  isSelected?: (name: string) => boolean,
) => judge({ sets, unreadable: [] }, holders, own, isSelected);
const rule: Holder = { kind: 'iptables-nft', where: 'filter INPUT 1', count: 1 };
const inList = (list: string): Holder => ({ kind: 'list-set', where: `list ${list}`, count: 1 });

describe('judgeLeftovers', () => {
  it('never offers a managed, internal or foreign set', () => {
    const sets = listed(
      ['sk-v4-t.web', 0],
      ['sk-ack-live', 0],
      ['my-azure-npm-1', 0],
      ['sk-something', 0],
      ['blacklist', 0],
    );
    expect(judgeLeftovers(sets, reading({}), rules())).toEqual([]);
  });

  it('offers own leftovers and former prefixes', () => {
    const sets = listed(['sk-v4-t.old', 0], ['felix-v4-tagid', 0], ['azure-npm-123456', 0], ['sk-tmp-dead', 0]);
    expect(
      judgeLeftovers(sets, reading({}), rules()).map(({ name, eligible, form }) => [name, eligible, form]),
    ).toEqual([
      ['sk-v4-t.old', true, 'own'],
      ['felix-v4-tagid', true, 'former-prefix'],
      ['azure-npm-123456', true, 'former-prefix'],
      ['sk-tmp-dead', true, 'temporary'],
    ]);
  });

  it('keeps one that a rule holds, and one whose references nothing explains', () => {
    const sets = listed(['sk-v4-t.old', 1], ['sk-v4-t.leak', 1]);
    expect(judgeLeftovers(sets, reading({ 'sk-v4-t.old': [rule] }), rules()).map((row) => row.reason)).toEqual([
      'held by filter INPUT 1',
      '1 kernel reference that nothing found explains',
    ]);
  });

  it('keeps own leftovers until every source has spoken', () => {
    const rows = judgeLeftovers(
      listed(['sk-v4-t.old', 0], ['felix-a', 0]),
      reading({}),
      rules({ ownFormWaitsFor: 'the source etcd has not spoken yet' }),
    );
    expect(rows.map((row) => row.eligible)).toEqual([false, true]);
    expect(rows[0]?.reason).toContain('etcd');
  });

  it('lets members of a leftover list go with it, and only then', () => {
    const sets = listed(['sk-v4-t.a', 1], ['sk-v4-t.b', 1], ['sk-l.old', 0, 'list:set'], ['sk-l.used', 1, 'list:set']);
    const holders = { 'sk-v4-t.a': [inList('sk-l.old')], 'sk-v4-t.b': [inList('sk-l.used')], 'sk-l.used': [rule] };
    expect(judgeLeftovers(sets, reading(holders), rules()).map((row) => [row.name, row.eligible])).toEqual([
      ['sk-v4-t.a', true],
      ['sk-v4-t.b', false],
      ['sk-l.old', true],
      ['sk-l.used', false],
    ]);
  });

  it('keeps what the ignore list names', () => {
    expect(judgeLeftovers(listed(['sk-v4-t.old', 0]), reading({}), rules({ isIgnored: () => true }))[0]).toMatchObject({
      eligible: false,
      ignored: true,
    });
  });

  it('does not let a member go with a list that is not part of the clean-up', () => {
    const sets = listed(['sk-v4-t.a', 1], ['sk-l.old', 0, 'list:set']);
    const rows = judgeLeftovers(
      sets,
      reading({ 'sk-v4-t.a': [inList('sk-l.old')] }),
      rules(),
      (name) => name !== 'sk-l.old',
    );
    expect(rows.map((row) => [row.name, row.eligible])).toEqual([
      ['sk-v4-t.a', false],
      ['sk-l.old', true],
    ]);
  });

  it('keeps a set that nobody can read', () => {
    const name = parseSetName('sk-v4-t.new');
    const unreadable = name === undefined ? [] : [{ name, message: 'a newer revision' }];
    expect(judge({ sets: [], unreadable }, reading({}), rules())).toMatchObject([
      { name: 'sk-v4-t.new', eligible: false, reason: 'it cannot be read: a newer revision' },
    ]);
  });
});
