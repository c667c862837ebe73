import type { Clock } from '../clock.ts';

/** Measures how long model changes take into the kernel: each from when it came to the end of the run that took it along. */
export interface ChangeClock {
  changeCame(): void;
  /** A run begins: it takes along what came before. */
  runBegan(): void;
  /** Seconds of each change that this run brought in. A run that failed leaves its changes to the next. */
  runEnded(isIn: boolean): readonly number[];
  /** Nothing is left to do: what no run took along changed nothing in the kernel. */
  settled(): void;
}

/** Changes that wait for a run; more are measured by the oldest of them. */
const WAITING_MAX = 10_000;

export function createChangeClock(clock: Clock): ChangeClock {
  let waiting: number[] = [];
  let taken: number[] = [];
  return {
    changeCame: () => {
      if (waiting.length < WAITING_MAX) waiting.push(clock.monotonic());
    },
    runBegan: () => {
      taken = [...taken, ...waiting].slice(0, WAITING_MAX);
      waiting = [];
    },
    runEnded: (isIn) => {
      if (!isIn) return [];
      const end = clock.monotonic();
      const seconds = taken.map((came) => (end - came) / 1000);
      taken = [];
      return seconds;
    },
    settled: () => {
      waiting = [];
    },
  };
}
