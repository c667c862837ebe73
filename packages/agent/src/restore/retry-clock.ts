import type { Clock } from '../clock.ts';

const FIRST_DELAY_MS = 2;
const DELAY_MAX_MS = 50;
const BUDGET_MS = 20_000;
/** Whoever wants a set gone asks again later by himself, and meanwhile nothing else would be programmed. */
const DESTROY_BUDGET_MS = 500;

/**
 * Paces the retries of a line that met somebody's dump: from 2 ms to 50 ms with jitter, for at most 20 seconds a line,
 * or half a second for the destroy of a set that is no longer wanted. The short cap is on purpose: under a reader that never stops, only many tries find a gap between two dumps.
 */
export class RetryClock {
  readonly #clock: Clock;
  readonly #random: () => number;
  #line = -1;
  #tries = 0;
  #since = 0;

  constructor(options: { readonly clock: Clock; readonly random: () => number }) {
    this.#clock = options.clock;
    this.#random = options.random;
  }

  /** Waits before the next try of `line`; false, at once, when its time is used up or `signal` is aborted. */
  async again(line: number, signal?: AbortSignal, isDestroy = false): Promise<boolean> {
    const now = this.#clock.monotonic();
    if (line !== this.#line) {
      this.#line = line;
      this.#tries = 0;
      this.#since = now;
    }
    if (now - this.#since >= (isDestroy ? DESTROY_BUDGET_MS : BUDGET_MS)) return false;
    const delay = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#tries++, 10)) * (0.5 + this.#random());
    await this.#sleep(delay, signal);
    return true;
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#clock.after(ms, done);
      if (signal?.aborted === true) done();
      else signal?.addEventListener('abort', done);
    });
  }
}
