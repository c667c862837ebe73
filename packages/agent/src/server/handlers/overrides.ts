import type { Handlers } from '@setkeeper/api';
import type { Engine } from '../../engine/engine.ts';
import { knownGroup } from '../../engine/selected-sets.ts';
import type { OverrideBook } from '../../overrides/override-book.ts';
import { actOf } from './operator-act.ts';

export interface OverridesDependencies {
  readonly overrides: OverrideBook;
  readonly engine: Engine;
}

/** Operators' temporary exceptions. */
export function overridesHandlers({
  overrides,
  engine,
}: OverridesDependencies): Pick<Handlers, 'overrides.list' | 'overrides.add' | 'overrides.remove'> {
  return {
    'overrides.list': () => [...overrides.list()],

    'overrides.add': async ({ kind, group, address, forSeconds, reason }, { caller }) => {
      const { actor } = actOf(caller);
      return overrides.add({ kind, group: knownGroup(engine.state, group), address, forSeconds, by: actor, reason });
    },

    'overrides.remove': async ({ id }) => {
      await overrides.remove(id);
      return [...overrides.list()];
    },
  };
}
