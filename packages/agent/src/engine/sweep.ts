import { isWritableSetName } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import type { EngineState } from './engine-state.ts';

/** Destroys of temporary sets that a run or a dead agent left. */
export const sweepSections = (state: EngineState): readonly Section[] =>
  [...state.toSweep].filter(isWritableSetName).map((set) => ({
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
