import type { ManagedSet } from '../sets/managed-set.ts';
import { setCounts } from '../sets/set-counts.ts';
import { syncOf } from '../sets/set-sync.ts';

/** All managed sets in numbers: what status and metrics tell. */
export interface SetTotals {
  readonly total: number;
  /** Sets that are, or should be, in the kernel: all but the waiting ones. */
  readonly wanted: number;
  readonly live: number;
  readonly inSync: number;
  readonly dirty: number;
  readonly drifted: number;
  readonly unknown: number;
  /** Refused, in conflict, or parked: will not be right by waiting. */
  readonly failed: number;
  /** Unknown, drifted or failed, each set counted once. */
  readonly wrong: number;
  /** Dirty sets of which nothing failed: they are being brought in line, or wait for an operator's apply. */
  readonly pendingOnly: number;
  /** Sets that are not as they should be and that a hold keeps so, whatever else is wrong with them. */
  readonly waitingOnHold: number;
  readonly unused: number;
  readonly noLongerUsed: number;
  readonly members: { readonly inet: number; readonly inet6: number };
  readonly pending: { readonly adds: number; readonly dels: number; readonly sets: number };
  readonly overCapacity: number;
  readonly parked: number;
  /** Sets by axis and value, with every value of each axis. */
  readonly axes: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export type Use = 'used' | 'unused' | 'unseen';

const AXES = {
  phase: ['waiting', 'starting', 'live', 'stopping'],
  sync: ['unknown', 'drifted', 'dirty', 'in-sync'],
  result: ['none', 'running', 'succeeded', 'partly', 'failed', 'interrupted'],
  use: ['used', 'unused', 'unseen'],
} as const;

/** What the ledgers of sets do not say. */
export interface SetAspects {
  readonly useOf: (set: ManagedSet) => Use;
  /** Whether an operator stopped programming of it. */
  readonly isOnHold: (set: ManagedSet) => boolean;
}

/** Counts every set. O(sets), but for lists, networks and parked members, where it is O(pending). */
export function setTotals(sets: Iterable<ManagedSet>, { useOf, isOnHold }: SetAspects): SetTotals {
  const axes = new Map(
    Object.entries(AXES).map(([axis, values]) => [axis, new Map(values.map((value): [string, number] => [value, 0]))]),
  );
  const count = (axis: keyof typeof AXES, value: string): void => {
    const values = axes.get(axis);
    values?.set(value, (values.get(value) ?? 0) + 1);
  };
  const sums = {
    total: 0,
    live: 0,
    failed: 0,
    wrong: 0,
    pendingOnly: 0,
    waitingOnHold: 0,
    unused: 0,
    noLongerUsed: 0,
    overCapacity: 0,
    parked: 0,
  };
  const members = { inet: 0, inet6: 0 };
  const pending = { adds: 0, dels: 0, sets: 0 };
  const wanted = { all: 0, 'in-sync': 0, dirty: 0, drifted: 0, unknown: 0 };

  for (const set of sets) {
    const counts = setCounts(set);
    const { phase } = set.life;
    const use = useOf(set);
    sums.total += 1;
    count('phase', phase);
    count('result', set.lastRun?.result ?? 'none');
    count('use', use);
    if (phase === 'waiting') continue;
    const { sync } = syncOf(set, counts);
    count('sync', sync);
    wanted.all += 1;
    wanted[sync] += 1;
    const isFailed = hasFailed(set) || counts.overCapacity > 0;
    if (sync !== 'in-sync' && isOnHold(set)) sums.waitingOnHold += 1;
    if (isFailed || sync === 'unknown' || sync === 'drifted') sums.wrong += 1;
    if (isFailed) sums.failed += 1;
    else if (sync === 'dirty') sums.pendingOnly += 1;
    if (phase === 'live') sums.live += 1;
    if (phase === 'live' && use === 'unused') sums.unused += 1;
    if (set.isNoLongerUsed) sums.noLongerUsed += 1;
    if (set.family !== null) members[set.family] += counts.programmed ?? 0;
    pending.adds += counts.pendingAdds;
    pending.dels += counts.pendingDels;
    if (counts.pendingAdds + counts.pendingDels > 0) pending.sets += 1;
    sums.overCapacity += counts.overCapacity;
    sums.parked += counts.parked;
  }
  return {
    ...sums,
    wanted: wanted.all,
    inSync: wanted['in-sync'],
    dirty: wanted.dirty,
    drifted: wanted.drifted,
    unknown: wanted.unknown,
    members,
    pending,
    axes,
  };
}

const hasFailed = (set: ManagedSet): boolean =>
  set.collidesWith !== null || set.conflict !== null || set.failure !== null || set.ledger.parking.size > 0;
