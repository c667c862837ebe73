import type { GroupId } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { hasUnsent, waitsForApply } from './apply-waiting.ts';
import type { EngineState } from './engine-state.ts';

/** The answer behind `wait`. */
export interface Settled {
  /** Sources have spoken and nothing is pending or running. */
  readonly settled: boolean;
  /** Groups that are not as they should be and will not be by waiting: refused, over capacity, in conflict. */
  readonly failed: readonly GroupId[];
  readonly held: number;
  /** Sources that did not speak yet. */
  readonly waitingFor: readonly string[];
}

/** O(sets). */
export function settledNow(state: EngineState, isIdle: boolean): Settled {
  const waitingFor = [...state.sources.values()].filter(({ state }) => state === 'missing').map(({ name }) => name);
  const isDone =
    isIdle &&
    state.isOpen &&
    state.isAdopted &&
    state.dirty.size === 0 &&
    state.toRead.size === 0 &&
    state.environment === null;
  const isManual = state.ports.config.sets.apply === 'manual';
  const failed = new Set<GroupId>();
  let waits = false;
  for (const set of state.registry.all()) {
    if (isFailed(set)) failed.add(set.group);
    else if (isManual && waitsForApply(state, set)) waits = true;
    if (waitsForHold(state, set)) waits = true;
  }
  return {
    settled: isDone && !waits && waitingFor.length === 0,
    failed: [...failed].sort(),
    held: state.held.all().filter((change) => change.state === 'held').length,
    waitingFor,
  };
}

function isFailed(set: ManagedSet): boolean {
  if (set.collidesWith !== null || set.conflict !== null) return true;
  if (set.failure !== null || set.ledger.parking.size > 0) return true;
  return set.life.phase !== 'waiting' && hasNoRoom(set);
}

/** A hold keeps something from the kernel: that is pending until the hold ends. */
function waitsForHold(state: EngineState, set: ManagedSet): boolean {
  return set.life.phase !== 'waiting' && state.isOnHold(set.group) && hasUnsent(set);
}

function hasNoRoom({ ledger, desired, maxelem }: ManagedSet): boolean {
  return (
    maxelem !== null && desired.count > maxelem && ledger.content.kind === 'known' && ledger.content.missing.size > 0
  );
}
