import type { ReferenceRow } from '@setkeeper/api';
import type { Family, GroupId, ListedSet } from '@setkeeper/ipset';
import type { LeakTracker } from '../leaks/leak-tracker.ts';
import type { ManagedView } from '../observe/managed-view.ts';
import { type OwnershipRules, setOwnership } from '../ownership/set-ownership.ts';
import { explainedCount, type HolderReading, holdersOf } from './holder-reading.ts';

export interface ReferenceContext {
  readonly reading: HolderReading;
  readonly leaks: LeakTracker;
  readonly managed: ManagedView;
  readonly rules: OwnershipRules;
}

/**
 * Who uses each set, three ways: named referrers, the kernel's number, and the holders found. With a group: its sets,
 * in the kernel or not. Without: every set of the host, and managed sets that are needed and not there.
 */
export function referenceRows(context: ReferenceContext, group?: GroupId): readonly ReferenceRow[] {
  const { reading, managed } = context;
  const listed = new Map((reading.sets ?? []).map((set) => [set.header.name as string, set]));
  if (group !== undefined) {
    return [...managed.sets(group)].map(({ name, family }) => ({
      ...rowOf(context, name, family, listed.get(name)),
      unreadable: [...reading.unreadable],
    }));
  }
  const rows = [...listed.values()].map((set) => rowOf(context, set.header.name, set.header.family, set));
  for (const { name, family } of managed.sets())
    if (!listed.has(name)) rows.push(rowOf(context, name, family, undefined));
  return rows;
}

function rowOf(
  { reading, leaks, managed, rules }: ReferenceContext,
  name: string,
  family: Family | null,
  set: ListedSet | undefined,
): ReferenceRow {
  const { owner, group } = setOwnership(name, rules);
  const kernel = set?.references ?? null;
  const unexplained = kernel === null ? null : Math.max(0, kernel - explainedCount(reading, name));
  const isOpen = unexplained === null || unexplained > 0;
  const since = unexplained === 0 ? null : (leaks.of(name)?.since ?? null);
  return {
    ...(group === undefined ? {} : { group }),
    name,
    family,
    named: group === undefined ? [] : managed.named(group).map(namedRow),
    kernel,
    holders: [...holdersOf(reading, name)],
    possibleHolders: isOpen ? [...reading.possible] : [],
    unexplained,
    unexplainedSince: since === null ? null : new Date(since).toISOString(),
    unreadable: isOpen ? [...reading.unreadable] : [],
    owner,
  };
}

const namedRow = ({ referrer, since }: { readonly referrer: string; readonly since: number }) => ({
  referrer,
  since: new Date(since).toISOString(),
});
