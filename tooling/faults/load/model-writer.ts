import { setTimeout as delay } from 'node:timers/promises';
import type { FaultModel } from './fault-model.ts';

/** Somebody who works until told to pause; a pause waits for what is under way. */
export interface Worker {
  pause(): Promise<void>;
  resume(): void;
}

const PAUSE_MS_MAX = 150;
const CHANGES_MAX = 20;

/** Changes the model again and again at random moments. Paused at first. */
export function createModelWriter(model: FaultModel, random: () => number): Worker {
  return createWorker(async () => {
    model.change(1 + Math.floor(random() * CHANGES_MAX));
    await delay(random() * PAUSE_MS_MAX);
  });
}

/** Does `step` again and again between `resume` and `pause`. */
export function createWorker(step: () => Promise<void>): Worker {
  let isPaused = true;
  let working: Promise<void> = Promise.resolve();
  const work = async (): Promise<void> => {
    while (!isPaused) await step();
  };
  return {
    resume: () => {
      if (!isPaused) return;
      isPaused = false;
      working = work();
      // Told when it is paused.
      working.catch(() => undefined);
    },
    pause: () => {
      isPaused = true;
      return working;
    },
  };
}
