import type { EngineState } from './engine-state.ts';
import type { HeaderReader } from './kernel-headers.ts';

/** How soon after a run the headers are looked at. */
const AFTER_RUN_MS = 100;
/** Runs that follow each other closely share a look. */
const APART_MS = 500;

/** Reads the headers soon after each run, and at least as often as `resync.headersSeconds` says. A run never puts a look off. */
export class HeaderLook {
  readonly #state: EngineState;
  readonly #headers: HeaderReader;
  /** Called after each look. */
  readonly #onLooked: () => void;
  #next: { readonly at: number; readonly cancel: () => void } | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(state: EngineState, headers: HeaderReader, onLooked: () => void) {
    this.#state = state;
    this.#headers = headers;
    this.#onLooked = onLooked;
  }

  /** A run ended. */
  soon(): void {
    const now = this.#now();
    this.#at(Math.max(now + AFTER_RUN_MS, this.#lookedAt + APART_MS));
  }

  start(): void {
    this.#at(this.#now());
  }

  stop(): void {
    this.#isStopped = true;
    this.#next?.cancel();
  }

  #now(): number {
    return this.#state.ports.clock.monotonic();
  }

  #at(time: number): void {
    if (this.#isStopped || (this.#next !== null && this.#next.at <= time)) return;
    this.#next?.cancel();
    const cancel = this.#state.ports.clock.after(Math.max(0, time - this.#now()), () => void this.#look());
    this.#next = { at: time, cancel };
  }

  async #look(): Promise<void> {
    this.#next = null;
    this.#lookedAt = this.#now();
    const reading = await this.#headers.readFresh();
    const { headersSeconds } = this.#state.ports.config.resync;
    if (headersSeconds > 0) this.#at(this.#now() + headersSeconds * 1000);
    // A run ended meanwhile: of its sets this look said nothing.
    if (reading !== null && reading.tick < this.#state.tick) this.soon();
    this.#onLooked();
  }
}
