import { ledgerCounts } from '../sets/ledger-counts.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';
import { discard, forgetIfIdle } from './life-cycle.ts';

/**
 * Where a set is in its life, after a reading or a run told what the kernel has. A set is live when its first content is
 * acknowledged; one that has no room for it is not announced as live. `isAcknowledged`: a run just sent it whole, so what
 * the model wants since then is no reason to wait.
 */
export function reviewLife(state: EngineState, set: ManagedSet, isAcknowledged = false): void {
  const { content } = set.ledger;
  if (content.kind === 'absent' && !set.isWanted && set.heldBy === null && !set.isInFlight) {
    const wasStopping = set.life.phase !== 'waiting';
    discard(state, set);
    if (wasStopping) forgetIfIdle(state, set.group);
    return;
  }
  if (set.life.phase !== 'starting' || content.kind !== 'known' || set.remake !== null) return;
  const counts = ledgerCounts(set.ledger, set.desired, set.maxelem);
  if (counts.overCapacity > 0 || (counts.pendingAdds > 0 && !isAcknowledged)) return;
  if (counts.parked > 0 && counts.programmed === 0) return;
  set.life = { phase: 'live', since: state.now() };
}
