import type { EngineState } from './engine-state.ts';

/** One step of the engine: something was done and there may be more, nothing is left to do, or it is to be asked again in some milliseconds. */
export type StepResult =
  | { readonly kind: 'again' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'later'; readonly ms: number };

/** However much there is to do, others have their turn after so many steps. */
const STEPS_A_TURN = 20;

/** Does one thing at a time: as long as there is something, step after step; then it sleeps until it is woken or a time has come. */
export class Loop {
  readonly #state: EngineState;
  readonly #step: () => Promise<StepResult>;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = false;
  #cancelTimer: (() => void) | null = null;

  constructor(state: EngineState, step: () => Promise<StepResult>) {
    this.#state = state;
    this.#step = step;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isWoken) this.wake();
    });
  }

  /** Takes no further step; resolves when the one under way is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isWoken = false;
    this.#cancelTimer?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Whoever wakes goes on first: what one event changes is seen whole.
    await Promise.resolve();
    for (let steps = 1; !this.#isStopped; steps++) {
      if (steps % STEPS_A_TURN === 0) await this.#state.ports.turn();
      this.#isWoken = false;
      const result = await this.#safeStep();
      if (result.kind === 'again' || this.#isWoken) continue;
      if (result.kind === 'later') this.#sleep(result.ms);
      return;
    }
  }

  /** A bug in a step is contained: it is told, and the engine goes on a little later. */
  async #safeStep(): Promise<StepResult> {
    try {
      return await this.#step();
    } catch (error) {
      this.#state.ports.onBug?.(error);
      return { kind: 'later', ms: 1_000 };
    }
  }

  #sleep(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#state.ports.clock.after(Math.max(0, ms), () => {
      this.#cancelTimer = null;
      this.wake();
    });
  }
}
