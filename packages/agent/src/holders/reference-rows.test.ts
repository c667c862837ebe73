import { type GroupId, parseGroupId, type SetName } from '@setkeeper/ipset';
import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { LeakTracker } from '../leaks/leak-tracker.ts';
import { type ManagedView, NOTHING_MANAGED } from '../observe/managed-view.ts';
import { type HolderReading, NO_HOLDERS } from './holder-reading.ts';
import { referenceRows } from './reference-rows.ts';

const group = parseGroupId('tag:web');
if (!group.ok) throw new Error(group.reason);
const web = { group: group.id, family: 'inet', name: 'sk-v4-t.web' as SetName } as const;
const absent = { group: group.id, family: 'inet6', name: 'sk-v6-t.web' as SetName } as const;
const managed: ManagedView = {
  ...NOTHING_MANAGED,
  owner: (name) => [web, absent].find((set) => set.name === name),
  sets: () => [web, absent],
  named: () => [{ referrer: 'policy/a', since: 0 }],
};
const rule = { kind: 'iptables-nft', where: 'filter INPUT 1', count: 1 } as const;
const compat = { kind: 'nft-compat', where: 'ip hidden c handle 2', count: 1 } as const;
const reading: HolderReading = {
  ...NO_HOLDERS,
  at: 5_000,
  sets: listedSets(
    { name: 'sk-v4-t.web', references: 1 },
    { name: 'leaky', references: 2 },
    { name: 'idle', references: 0 },
  ),
  holders: new Map([['sk-v4-t.web', [rule]]]),
  possible: [compat],
  unreadable: [{ what: 'ip6tables-legacy-save', why: 'hidden', remedy: 'r' }],
};

function rows(of?: GroupId) {
  const leaks = new LeakTracker();
  leaks.observe(reading);
  const managedGroup = (name: string) => managed.owner(name)?.group;
  const rules = { prefix: 'sk-', formerPrefixes: [], managedGroup, isInternal: () => false };
  return referenceRows({ reading, leaks, managed, rules }, of);
}

describe('referenceRows', () => {
  it('puts named referrers, the number of the kernel and the holders side by side', () => {
    expect(rows().find(({ name }) => name === 'sk-v4-t.web')).toMatchObject({
      group: 'tag:web',
      named: [{ referrer: 'policy/a', since: '1970-01-01T00:00:00.000Z' }],
      kernel: 1,
      holders: [rule],
      possibleHolders: [],
      unexplained: 0,
      unexplainedSince: null,
    });
  });

  it('says of an unexplained one since when, what may hold it and what could not be read', () => {
    expect(rows().find(({ name }) => name === 'leaky')).toMatchObject({
      kernel: 2,
      holders: [],
      possibleHolders: [compat],
      unexplained: 2,
      unexplainedSince: '1970-01-01T00:00:05.000Z',
      unreadable: reading.unreadable,
      owner: 'foreign',
    });
  });

  it('shows managed sets that are not in the kernel as not there', () => {
    expect(rows().map(({ name }) => name)).toEqual(['sk-v4-t.web', 'leaky', 'idle', 'sk-v6-t.web']);
    expect(rows().at(-1)).toMatchObject({ kernel: null, unexplained: null });
  });

  it('shows the sets of one group alone, with all that could not be read', () => {
    const found = rows(web.group);
    expect(found.map(({ name }) => name)).toEqual(['sk-v4-t.web', 'sk-v6-t.web']);
    expect(found[0]?.unreadable).toEqual(reading.unreadable);
  });
});
