import type { Noun } from './nouns.ts';

/** What the gate needs of the world. */
export interface InvalidationPorts {
  readonly nowMs: () => number;
  readonly after: (ms: number, then: () => void) => () => void;
  /** Fetches the noun's answers that are on the screen again. */
  readonly refresh: (noun: Noun) => void;
}

/** Answers that make the agent read the kernel are asked for less often. */
const gapMs: Partial<Record<Noun, number>> = {
  kernel: 4_000,
  leftovers: 4_000,
  references: 4_000,
  leaks: 4_000,
  plan: 2_000,
};
const gapMsDefault = 1_000;
const firstMs = 80;

/**
 * Turns any number of events into at most one refresh a noun and second: the first comes at once, what follows is
 * gathered. A thousand events a second flood neither the agent nor the screen, and the last state is always fetched.
 */
export class InvalidationGate {
  readonly #ports: InvalidationPorts;
  readonly #lastMs = new Map<Noun, number>();
  readonly #waiting = new Map<Noun, () => void>();

  constructor(ports: InvalidationPorts) {
    this.#ports = ports;
  }

  touch(nouns: readonly Noun[]): void {
    for (const noun of nouns) {
      if (this.#waiting.has(noun)) continue;
      const last = this.#lastMs.get(noun);
      const gap = gapMs[noun] ?? gapMsDefault;
      const waitMs = last === undefined ? firstMs : Math.max(firstMs, last + gap - this.#ports.nowMs());
      this.#waiting.set(
        noun,
        this.#ports.after(waitMs, () => {
          this.#waiting.delete(noun);
          this.#lastMs.set(noun, this.#ports.nowMs());
          this.#ports.refresh(noun);
        }),
      );
    }
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}
