import type { Clock } from '../clock.ts';
import type { CheckResult } from '../engine/drift-watch.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { scanContents } from './content-scan.ts';

export interface MemberRotationPorts {
  readonly clock: Clock;
  readonly reader: KernelReader;
  /** Each set is looked at once in so many seconds. */
  readonly membersSeconds: number;
  /** Managed sets that should be in the kernel as they are programmed. */
  readonly sets: () => Iterable<ManagedSet>;
  readonly owner: (name: string) => ManagedSet | undefined;
  /** Reads one set, twice where something is wrong, and records what is drift. */
  readonly check: (set: ManagedSet) => Promise<CheckResult>;
  /** Something is being programmed, or about to be: reading waits. */
  readonly isBusy: () => boolean;
  readonly onScan?: (result: 'same' | 'different' | 'failed') => void;
}

/** With more sets than this, one dump of everything is cheaper than a process a set. */
const ONE_BY_ONE_MAX = 32;
/** While programming goes on, the rotation looks again after so long. */
const BUSY_PAUSE_MS = 250;
/** A pass that never finds a quiet moment goes ahead after this part of its period. */
const PATIENCE = 0.5;

/**
 * Reads the members of all sets again and again, in the background: few sets one by one, evenly over the period; many in
 * one pass a period. It never begins while something is programmed, so that nothing waits for it; what a pass finds
 * different is confirmed set by set.
 */
export class MemberRotation {
  readonly #ports: MemberRotationPorts;
  readonly #seenAt = new WeakMap<ManagedSet, number>();
  #cancel: (() => void) | null = null;
  #isStopped = true;
  #waitedMs = 0;

  constructor(ports: MemberRotationPorts) {
    this.#ports = ports;
  }

  start(): void {
    if (this.#ports.membersSeconds <= 0) return;
    this.#isStopped = false;
    this.#lookIn(this.#stepMs());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #lookIn(ms: number): void {
    this.#cancel = this.#ports.clock.after(ms, () => {
      this.#cancel = null;
      const again = (next: number): void => {
        if (!this.#isStopped) this.#lookIn(next);
      };
      this.#step().then(again, () => again(this.#stepMs()));
    });
  }

  /** How long until the next step. */
  #stepMs(): number {
    const count = this.#count();
    const periodMs = this.#ports.membersSeconds * 1000;
    return count > ONE_BY_ONE_MAX ? periodMs : periodMs / Math.max(1, count);
  }

  #count(): number {
    let count = 0;
    for (const _set of this.#ports.sets()) if (++count > ONE_BY_ONE_MAX) break;
    return count;
  }

  async #step(): Promise<number> {
    const { isBusy, membersSeconds, clock } = this.#ports;
    if (isBusy() && this.#waitedMs < membersSeconds * 1000 * PATIENCE) {
      this.#waitedMs += BUSY_PAUSE_MS;
      return BUSY_PAUSE_MS;
    }
    this.#waitedMs = 0;
    const startedAt = clock.monotonic();
    if (this.#count() > ONE_BY_ONE_MAX) await this.#pass();
    else await this.#one();
    return Math.max(0, this.#stepMs() - (clock.monotonic() - startedAt));
  }

  /** The set that was looked at longest ago. */
  async #one(): Promise<void> {
    let oldest: ManagedSet | null = null;
    let oldestAt = Number.POSITIVE_INFINITY;
    for (const set of this.#ports.sets()) {
      const at = this.#seenAt.get(set) ?? Number.NEGATIVE_INFINITY;
      if (at < oldestAt) {
        oldest = set;
        oldestAt = at;
      }
    }
    if (oldest !== null) await this.#check(oldest);
  }

  async #pass(): Promise<void> {
    const { suspects, unclear, fault } = await scanContents(this.#ports.reader, this.#ports.owner);
    if (fault !== null) {
      this.#ports.onScan?.('failed');
      return;
    }
    if (suspects.length === 0) this.#ports.onScan?.('same');
    for (const set of suspects) if (!this.#isStopped) await this.#check(set);
    // Sets that change all the time would never be seen by a pass: a few of them are read with care each time.
    for (const set of this.#longestUnseen(unclear)) if (!this.#isStopped) await this.#check(set);
  }

  #longestUnseen(sets: readonly ManagedSet[]): readonly ManagedSet[] {
    const at = (set: ManagedSet): number => this.#seenAt.get(set) ?? 0;
    return sets.toSorted((a, b) => at(a) - at(b)).slice(0, ONE_BY_ONE_MAX);
  }

  async #check(set: ManagedSet): Promise<void> {
    const result = await this.#ports.check(set);
    this.#ports.onScan?.(result === 'drift' ? 'different' : result === 'same' ? 'same' : 'failed');
    this.#seenAt.set(set, this.#ports.clock.monotonic());
  }
}
