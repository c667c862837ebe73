import type { Clock } from '../clock.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { backOffMs } from '../sets/parking.ts';
import type { CleanupBy } from './cleanup.ts';

/** A set that somebody asked to destroy and the kernel refused. Times: milliseconds since 1970. */
export interface RefusedCleanup {
  readonly name: string;
  /** The kernel's words, or what holds it. */
  readonly message: string;
  /** Who asked first. */
  readonly by: CleanupBy;
  readonly since: number;
  readonly attempts: number;
  readonly retryAt: number;
}

/**
 * Leftovers that the kernel refused to destroy, asked again with back-off (1 s to 5 min) until they are gone or no
 * leftover any more. One that is stuck keeps no other waiting.
 */
export class CleanupRetries {
  readonly #clock: Clock;
  readonly #problems: Pick<ProblemBoard, 'raise' | 'clear'>;
  readonly #again: (names: readonly string[], by: CleanupBy) => Promise<void>;
  readonly #refused = new Map<string, RefusedCleanup>();
  #cancel: (() => void) | null = null;
  #isStopped = false;

  /** `again` asks once more for some names, and tells this object what came of it. */
  constructor(parts: {
    readonly clock: Clock;
    readonly problems: Pick<ProblemBoard, 'raise' | 'clear'>;
    readonly again: (names: readonly string[], by: CleanupBy) => Promise<void>;
  }) {
    this.#clock = parts.clock;
    this.#problems = parts.problems;
    this.#again = parts.again;
  }

  /** What waits now, oldest first. */
  all(): readonly RefusedCleanup[] {
    return [...this.#refused.values()].sort((a, b) => a.since - b.since);
  }

  has(name: string): boolean {
    return this.#refused.has(name);
  }

  refuse(refused: readonly { readonly name: string; readonly message: string }[], by: CleanupBy): void {
    const now = this.#clock.now();
    for (const { name, message } of refused) {
      const before = this.#refused.get(name);
      const attempts = (before?.attempts ?? 0) + 1;
      const since = before?.since ?? now;
      this.#refused.set(name, {
        name,
        message,
        by: before?.by ?? by,
        since,
        attempts,
        retryAt: now + backOffMs(attempts),
      });
      this.#problems.raise({
        code: 'destroy-refused',
        subject: name,
        message: `The leftover set ${name} was to be cleaned up, and is still there: ${message}.`,
        remedy: '"setkeeper leftovers" shows what holds it; it is tried again by itself.',
      });
    }
    this.#schedule();
  }

  /** These are gone. */
  settle(names: Iterable<string>): void {
    for (const name of names) {
      if (this.#refused.delete(name)) this.#problems.clear('destroy-refused', name);
    }
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#isStopped || this.#refused.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { retryAt } of this.#refused.values()) next = Math.min(next, retryAt);
    this.#cancel = this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      this.#cancel = null;
      void this.#retry();
    });
  }

  async #retry(): Promise<void> {
    const now = this.#clock.now();
    const due = [...this.#refused.values()].filter(({ retryAt }) => retryAt <= now);
    for (const [by, ofOne] of Map.groupBy(due, (refused) => refused.by)) {
      const names = ofOne.map(({ name }) => name);
      try {
        await this.#again(names, by);
      } catch (error) {
        // The kernel cannot be read, or the agent stops: asked again later, and the problem board says why.
        this.refuse(
          names.map((name) => ({ name, message: error instanceof Error ? error.message : String(error) })),
          by,
        );
      }
    }
    this.#schedule();
  }
}
