import { isWritableSetName, type SetName } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import type { EngineState } from './engine-state.ts';

/** Destroys of temporary sets that a run or a dead agent left, but those whose pause is not over. */
export const sweepSections = (state: EngineState): readonly Section[] =>
  dueSweeps(state).map((set) => ({
    group: null,
    family: null,
    set,
    how: 'destroy',
    header: null,
    temp: null,
    createMain: false,
    dels: [],
    adds: [],
    before: 0,
    after: 0,
  }));

/** Temporary sets that may be destroyed now. */
export function dueSweeps(state: EngineState): readonly SetName[] {
  const now = state.now();
  return [...state.toSweep]
    .filter(([name, refusal]) => isWritableSetName(name) && (refusal === null || refusal.retryAt <= now))
    .map(([name]) => name);
}
