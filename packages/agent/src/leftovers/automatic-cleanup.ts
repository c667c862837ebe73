import type { Clock } from '../clock.ts';
import type { Cleanup } from './cleanup.ts';

export interface AutomaticCleanupPorts {
  readonly cleanup: Cleanup;
  readonly clock: Clock;
  readonly delaySeconds: number;
  /** Whether every source has spoken and nothing is pending or running. O(sets). */
  readonly isInSync: () => boolean;
  /** How many leftovers the newest headers show. */
  readonly leftovers: () => number;
  /** Told of what went wrong in the background. */
  readonly onError: (error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;

/**
 * `cleanup.mode: auto`: once everything is in sync, and stayed so for the delay, leftovers of our own form go. Never those
 * with a former prefix. While there are no leftovers it looks at nothing.
 */
export class AutomaticCleanup {
  readonly #ports: AutomaticCleanupPorts;
  #inSyncSince: number | null = null;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(ports: AutomaticCleanupPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#cancel = this.#ports.clock.after(LOOK_EVERY_MS, () => {
      void this.#look()
        .catch(this.#ports.onError)
        .finally(() => {
          if (!this.#isStopped) this.start();
        });
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #look(): Promise<void> {
    const { cleanup, clock, delaySeconds, isInSync, leftovers } = this.#ports;
    if (leftovers() === 0 || !isInSync()) {
      this.#inSyncSince = null;
      return;
    }
    const now = clock.monotonic();
    this.#inSyncSince ??= now;
    if (now - this.#inSyncSince < delaySeconds * 1000) return;
    const { rows } = await cleanup.leftovers();
    const names = rows
      .filter(({ eligible, form, name }) => eligible && form !== 'former-prefix' && !cleanup.retries.has(name))
      .map(({ name }) => name);
    this.#inSyncSince = null;
    if (names.length > 0) await cleanup.run({ names, wait: true, actor: 'setkeeper', reason: 'cleanup.mode: auto' });
  }
}
