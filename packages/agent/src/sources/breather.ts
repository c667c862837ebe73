import type { Clock } from '../clock.ts';

/** Lets the event loop breathe inside long work: null while there is time left, else a promise to await. */
export type Breathe = () => Promise<void> | null;

/** A breather that lets others run after every `sliceMs` of work. */
export function createBreather(clock: Pick<Clock, 'monotonic'>, sliceMs = 5): Breathe {
  let until = clock.monotonic() + sliceMs;
  return () => {
    if (clock.monotonic() < until) return null;
    return new Promise((resolve) => {
      setImmediate(() => {
        until = clock.monotonic() + sliceMs;
        resolve();
      });
    });
  };
}
