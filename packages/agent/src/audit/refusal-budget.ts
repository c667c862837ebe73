import type { Clock } from '../clock.ts';

/** How many are written down at once, and each second after that. */
const BURST = 20;
const A_SECOND = 1;

/** Who cannot prove a name must not fill the disk with refusals, nor push others out of the audit. */
export interface RefusalBudget {
  /** How many refusals went unwritten before this one, which is to be written; null: this one is not, either. */
  admit(): number | null;
}

/** A bucket of refusals that fills up with time. */
export function createRefusalBudget(clock: Clock): RefusalBudget {
  let left = BURST;
  let at = clock.monotonic();
  let unwritten = 0;
  return {
    admit: () => {
      const seconds = Math.floor((clock.monotonic() - at) / 1000);
      if (seconds > 0) {
        left = Math.min(BURST, left + seconds * A_SECOND);
        at += seconds * 1000;
      }
      if (left < 1) {
        unwritten += 1;
        return null;
      }
      left -= 1;
      const before = unwritten;
      unwritten = 0;
      return before;
    },
  };
}
