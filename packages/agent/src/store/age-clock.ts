import type { Clock } from '../clock.ts';

/** How long the wall clock must have gone on evenly before anything is removed for its age. */
const STEADY_MS = 6 * 3_600_000;
/** A difference to the monotonic clock, between two looks, that is a jump and no correction. */
const JUMP_MS_MIN = 5_000;

/** Tells the time by which old rows are removed. */
export interface AgeClock {
  /**
   * Milliseconds since 1970; minus infinity, so that nothing is old, while the clock has not been even for six hours: a
   * machine that starts in another year, or whose clock is set wrong for a moment, must not cost what cannot be made
   * again. To be asked often: jumps are found by asking.
   */
  time(): number;
}

/** Begins to watch the clock. */
export function createAgeClock(clock: Clock): AgeClock {
  let offset = clock.now() - clock.monotonic();
  let evenSince = clock.monotonic();
  return {
    time: () => {
      const at = clock.monotonic();
      const now = clock.now();
      if (Math.abs(now - at - offset) >= JUMP_MS_MIN) evenSince = at;
      offset = now - at;
      return at - evenSince >= STEADY_MS ? now : Number.NEGATIVE_INFINITY;
    },
  };
}
