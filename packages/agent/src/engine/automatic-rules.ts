import type { Member } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';
import type { PlanningRules } from './pending-sections.ts';

/**
 * What may be sent without anybody asking. With `apply: manual` that is the repair of drift and what is parked: what an
 * operator has applied before. Drift is not repaired where repair is off, or while somebody fights over the set.
 */
export function automaticRules(state: EngineState): PlanningRules {
  const { config, clock } = state.ports;
  const isManual = config.sets.apply === 'manual';
  const now = clock.now();
  return {
    reprogram: false,
    ignoresPauses: false,
    only: (set) => onlyOf(state, set, isManual, now),
    mayWriteWhole: (set) => {
      if (set.drift !== null) return mayRepair(state, set, now);
      return !isManual || set.failure !== null;
    },
  };
}

/** Whether a set's drift may be repaired now. */
export function mayRepair(state: EngineState, set: ManagedSet, now: number): boolean {
  if (!state.ports.config.resync.repair) return false;
  const until = state.ports.repairPausedUntil?.(set.key) ?? null;
  return until === null || until <= now;
}

function onlyOf(
  state: EngineState,
  set: ManagedSet,
  isManual: boolean,
  now: number,
): ((element: Member) => boolean) | undefined {
  const { drift, ledger } = set;
  const repairs = drift === null || mayRepair(state, set, now);
  if (!isManual && repairs) return undefined;
  const isDrift = (element: Member): boolean =>
    drift !== null && (drift.missing.has(element) || drift.extra.has(element));
  if (!isManual) return (element) => !isDrift(element);
  return (element) => (repairs && isDrift(element)) || ledger.parking.get(element) !== undefined;
}
