import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';

/** When a set's next pause ends (milliseconds since 1970): parked members, a refused operation, a repair that waits. Null: none. */
function pauseEnds(state: EngineState, set: ManagedSet): number | null {
  const ends = [set.ledger.parking.nextRetryAt(), set.failure?.retryAt ?? null];
  if (set.drift !== null) ends.push(state.ports.repairPausedUntil?.(set.key) ?? null);
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** A set with a pause ahead is looked at again when it ends. What is due and still cannot be sent waits for what keeps it. */
export function pauseUntilDue(state: EngineState, set: ManagedSet): void {
  const end = pauseEnds(state, set);
  if (end !== null && end > state.now()) state.paused.add(set);
}

/** A refusal whose pause is over and that leaves nothing to try again is history: an in-sync set that could not be written anew, a used set that was to be destroyed. */
export function forgetOldFailure(state: EngineState, set: ManagedSet): void {
  const { failure } = set;
  if (failure !== null && failure.retryAt <= state.now() && set.ledger.content.kind === 'known') set.failure = null;
}

/** Makes dirty what has waited long enough; gives the time of the next, or null. O(sets with a pause). */
export function endPauses(state: EngineState): number | null {
  const now = state.now();
  let next: number | null = null;
  for (const set of state.paused) {
    const end = pauseEnds(state, set);
    if (end === null || end <= now) {
      state.paused.delete(set);
      if (end !== null) state.dirty.add(set);
    } else if (next === null || end < next) next = end;
  }
  for (const refusal of state.toSweep.values()) {
    if (refusal !== null && refusal.retryAt > now && (next === null || refusal.retryAt < next)) next = refusal.retryAt;
  }
  return next;
}

/** Something could be programmed again, or nothing waits for it any more: what failed before is over. */
export function endEnvironmentPause(state: EngineState): void {
  if (state.environment === null) return;
  state.environment = null;
  state.stamp++;
  state.ports.problems.clear('environment', 'ipset restore');
}
