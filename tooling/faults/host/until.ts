import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/** Asks until `ask` gives something, and gives that; throws after `patienceMs` with what the last try said. Patience is no measure: it only ends what hangs. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  patienceMs = 60_000,
): Promise<T> {
  const end = performance.now() + patienceMs;
  let last = 'nothing yet';
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await delay(POLL_MS);
  }
  throw new Error(`${what}: not within ${patienceMs / 1000} s; ${last}`);
}
