import type { Clock } from '../clock.ts';

/** Decides when the heap is to be small rather than quick. */
export interface ThriftyHeap {
  /** The model changed by so many objects. */
  changed(objects: number): void;
  /** Nothing is left to do. */
  rested(): void;
}

/** Loading with a heap that grows in small steps takes twice the processor time; smaller changes do not notice. */
const LOAD_OBJECTS_MIN = 2_000;
const REST_MS = 3_000;

/**
 * While a model is loaded, V8 grows its heap in large steps and keeps what it has: 350 MB for 10,000 sets of which 85 are
 * used. At rest it is told to prefer a small one (`--optimize-for-size`), and gives back what it does not use within a
 * minute: 140 MB (docs/PERFORMANCE.md, P12). `setFlag` is v8.setFlagsFromString.
 */
export function createThriftyHeap(clock: Clock, setFlag: (flag: string) => void): ThriftyHeap {
  let isThrifty = false;
  let cancel: (() => void) | null = null;
  return {
    changed: (objects) => {
      if (objects < LOAD_OBJECTS_MIN) return;
      cancel?.();
      cancel = null;
      if (isThrifty) setFlag('--no-optimize-for-size');
      isThrifty = false;
    },
    rested: () => {
      if (isThrifty || cancel !== null) return;
      cancel = clock.after(REST_MS, () => {
        cancel = null;
        isThrifty = true;
        setFlag('--optimize-for-size');
      });
    },
  };
}
