import { ApiError, type Handlers } from '@setkeeper/api';
import { groupOf } from '../../engine/selected-sets.ts';
import { type PinBook, pinReferrer } from '../../pins/pin-book.ts';
import { actOf } from './operator-act.ts';

export interface PinsDependencies {
  readonly pins: PinBook;
}

/** Operators' references. */
export function pinsHandlers({ pins }: PinsDependencies): Pick<Handlers, 'pins.list' | 'pins.add' | 'pins.remove'> {
  return {
    'pins.list': () => [...pins.list()],

    'pins.add': async ({ group, reason }, { caller }) => {
      const { actor } = actOf(caller);
      return pins.add(groupOf(group), actor, reason);
    },

    'pins.remove': async ({ group, referrer }) => {
      const id = groupOf(group);
      if (referrer !== undefined && referrer !== pinReferrer(id)) {
        throw new ApiError('unsafe', `${referrer} is no pin: it is named by a document of a source.`, {
          subject: referrer,
          remedy: 'Remove it from the source that names it.',
        });
      }
      return pins.remove(id);
    },
  };
}
