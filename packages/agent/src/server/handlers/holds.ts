import { ApiError, type Handlers } from '@setkeeper/api';
import type { Engine } from '../../engine/engine.ts';
import { groupOf, knownGroup } from '../../engine/selected-sets.ts';
import type { HoldBook } from '../../holds/hold-book.ts';
import { actOf } from './operator-act.ts';

export interface HoldsDependencies {
  readonly holds: HoldBook;
  readonly engine: Engine;
}

/** Operators' stops of programming and repair. */
export function holdsHandlers({
  holds,
  engine,
}: HoldsDependencies): Pick<Handlers, 'holds.list' | 'holds.add' | 'holds.remove'> {
  return {
    'holds.list': () => [...holds.list()],

    'holds.add': ({ groups, all, forSeconds, reason }, { caller }) => {
      if (groups.length === 0 && !all) throw new ApiError('bad-input', 'Name the groups to stop, or say all.');
      if (groups.length > 0 && all) throw new ApiError('bad-input', 'Either name groups or say all, not both.');
      const { actor } = actOf(caller);
      // A hold on a misspelt group would protect nothing.
      const ids = groups.map((group) => knownGroup(engine.state, group));
      holds.add(ids, { by: actor, reason, forSeconds });
      return [...holds.list()];
    },

    'holds.remove': ({ groups }) => {
      const ids = groups.map(groupOf);
      const missing = holds.remove(ids);
      const [first] = missing;
      if (first !== undefined && missing.length === ids.length) {
        throw new ApiError('not-found', `${first} is not on hold.`, {
          subject: first,
          remedy: '"setkeeper status" shows what is.',
        });
      }
      return [...holds.list()];
    },
  };
}
