import { throwIfInterrupted } from './interruption.ts';

/** Waits; benchmarks may. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the answer is not undefined, and gives it. Throws after so many seconds: a benchmark never hangs; or when it is to end. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { everyMs = 20, seconds = 120 }: { readonly everyMs?: number; readonly seconds?: number } = {},
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    throwIfInterrupted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await pause(everyMs);
  }
}
