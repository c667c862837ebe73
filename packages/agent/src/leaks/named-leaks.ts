import type { Leak } from '@setkeeper/api';
import type { PinView } from '../observe/managed-view.ts';

/** Pins whose group the model does not know any more: whoever they were for is gone. */
export const orphanedPins = (pins: readonly PinView[]): readonly PinView[] =>
  pins.filter(({ isDefined }) => !isDefined);

/** A pin that nobody looked at for so long is asked about. */
export const OLD_PIN_MS = 30 * 86_400_000;

/** Named references that seem forgotten, as leaks: orphaned ones, and pins older than 30 days. Oldest first. */
export function namedLeaks(pins: readonly PinView[], now: number): readonly Leak[] {
  return pins
    .filter(({ isDefined, at }) => !isDefined || now - at >= OLD_PIN_MS)
    .toSorted((a, b) => a.at - b.at)
    .map(({ group, referrer, at, isDefined }) => ({
      kind: 'named',
      group,
      count: 1,
      since: new Date(at).toISOString(),
      holders: [],
      possibleHolders: [],
      advice: isDefined
        ? `${referrer} is older than 30 days. If nobody needs it any more: setkeeper unpin ${group}`
        : `${referrer} keeps a group in the kernel that the model does not know any more: setkeeper unpin ${group}`,
    }));
}
