import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';

/** With `apply: manual`: something is pending that only an operator sends. */
export function waitsForApply(state: EngineState, set: ManagedSet): boolean {
  return set.life.phase !== 'waiting' && !state.isOnHold(set.group) && hasUnsent(set);
}

/** Whether something is to be sent to a set that the guard does not hold. O(1). */
export function hasUnsent(set: ManagedSet): boolean {
  const { content, withheld } = set.ledger;
  if (content.kind !== 'known') return set.isWanted;
  return content.missing.size > 0 || content.extra.size > withheld.size;
}

/** The problem that changes wait, with how many sets. O(sets), and nothing with `apply: auto`. */
export function reviewApplyWaiting(state: EngineState): void {
  const { config, problems } = state.ports;
  if (config.sets.apply !== 'manual' || !state.isAdopted) return;
  let waiting = 0;
  for (const set of state.registry.all()) if (waitsForApply(state, set)) waiting++;
  if (waiting === 0) {
    problems.clear('apply-waiting', 'apply');
    return;
  }
  problems.raise({
    code: 'apply-waiting',
    subject: 'apply',
    message: `Changes of ${waiting} ${waiting === 1 ? 'set wait' : 'sets wait'} for apply.`,
    consequence: 'The kernel has what was applied last.',
    remedy: 'Look at "setkeeper plan", then "setkeeper apply".',
  });
}
