import type { Clock } from '../clock.ts';

/** Decides when the heap is to be small rather than quick. */
export interface ThriftyHeap {
  /** The model changed by so many objects. */
  changed(objects: number): void;
  /** A run began or ended. */
  ran(): void;
  /** Nothing is left to do. */
  rested(): void;
}

/** Changes from so many objects on leave garbage that is worth the trouble. */
const LOAD_OBJECTS_MIN = 2_000;
/** Work that follows closely must not meet a small heap: collecting takes half of the time then. */
const REST_MS = 5_000;
/** V8 collects an idle heap within a minute. */
const THRIFTY_MS = 60_000;

/**
 * While a model is loaded, V8 grows its heap in large steps and keeps what it has: 350 MB for 10,000 sets, of which 85 are
 * used. Once nothing is left to do it is told for a minute to prefer a small one (`--optimize-for-size`), and gives back what
 * it does not use: 140 MB (docs/PERFORMANCE.md, P12). Whatever is to be done ends that at once. `setFlag` is
 * v8.setFlagsFromString.
 */
export function createThriftyHeap(clock: Clock, setFlag: (flag: string) => void): ThriftyHeap {
  let isLoaded = false;
  let isThrifty = false;
  let cancel: (() => void) | null = null;

  const end = (): void => {
    cancel?.();
    cancel = null;
    if (isThrifty) setFlag('--no-optimize-for-size');
    isThrifty = false;
  };
  const begin = (): void => {
    isThrifty = true;
    setFlag('--optimize-for-size');
    cancel = clock.after(THRIFTY_MS, () => {
      isLoaded = false;
      end();
    });
  };

  return {
    changed: (objects) => {
      if (objects >= LOAD_OBJECTS_MIN) isLoaded = true;
      end();
    },
    ran: end,
    rested: () => {
      if (isLoaded && cancel === null) cancel = clock.after(REST_MS, begin);
    },
  };
}
