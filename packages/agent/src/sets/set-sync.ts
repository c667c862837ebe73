import type { ManagedSet } from './managed-set.ts';
import type { SetCounts } from './set-counts.ts';

/** Whether the kernel is as the model says; `unknown` always has its cause. */
export interface SetSync {
  readonly sync: 'unknown' | 'drifted' | 'dirty' | 'in-sync';
  readonly cause?: string;
}

/** Precedence: unknown, drifted, dirty, in-sync. Parked and over-capacity members are at best dirty, though their pending is 0. */
export function syncOf(set: ManagedSet, counts: SetCounts): SetSync {
  const { content } = set.ledger;
  if (content.kind === 'unknown') return { sync: 'unknown', cause: content.cause };
  if (set.drift !== null) return { sync: 'drifted', cause: 'somebody else changed it' };
  if (content.kind === 'absent') {
    if (!set.isWanted) return { sync: 'in-sync' };
    return { sync: 'dirty', cause: set.failure?.message ?? 'it is not in the kernel yet' };
  }
  if (set.failure !== null) return { sync: 'dirty', cause: set.failure.message };
  if (set.remake !== null) return { sync: 'dirty', cause: set.remake.cause };
  if (counts.parked > 0) return { sync: 'dirty', cause: `${counts.parked} refused by the kernel` };
  if (counts.overCapacity > 0) return { sync: 'dirty', cause: `no room for ${counts.overCapacity}` };
  if (counts.withheld > 0) return { sync: 'dirty', cause: `${counts.withheld} removals wait` };
  if (counts.pendingAdds + counts.pendingDels > 0) return { sync: 'dirty' };
  if (set.life.phase === 'stopping') return { sync: 'dirty', cause: 'it is to be destroyed' };
  return { sync: 'in-sync' };
}
