import type { Clock } from '../../clock.ts';

const OVERDUE_MS = 30_000;

/** What one look at a directory showed. */
export interface DirectoryLook {
  readonly fingerprint: string;
  readonly switchedTo: string;
  /** Milliseconds since the newest change, by the times of its files. */
  readonly idleMs: number;
  /** git is changing the work tree right now. */
  readonly isAtWork: boolean;
}

/** Decides when a changed directory has come to rest, so that nobody reads half of a change. */
export class Quiet {
  readonly #clock: Clock;
  readonly #quietMs: number;
  #accepted: { readonly fingerprint: string; readonly switchedTo: string } | null = null;
  #seen: { readonly fingerprint: string; readonly since: number } | null = null;
  #hintedAt = Number.NEGATIVE_INFINITY;
  #changingSince: number | null = null;

  constructor(clock: Clock, quietMs: number) {
    this.#clock = clock;
    this.#quietMs = quietMs;
  }

  /** Something was touched just now. */
  hint(): void {
    this.#hintedAt = this.#clock.monotonic();
  }

  /**
   * How long to wait before the directory may be read: 0 if it is unchanged, was switched as a whole, has been quiet for
   * long enough (by what was seen, or at the first look by the times of its files), or has been changing for 30 s without
   * a pause.
   */
  waitMs(now: DirectoryLook): number {
    const at = this.#clock.monotonic();
    if (this.isAccepted(now.fingerprint)) {
      this.#seen = null;
      this.#changingSince = null;
      return 0;
    }
    this.#changingSince ??= at;
    if (this.#accepted !== null && this.#accepted.switchedTo !== now.switchedTo) return 0;
    const since = this.#accepted === null && this.#seen === null ? at - Math.max(0, now.idleMs) : at;
    if (this.#seen?.fingerprint !== now.fingerprint) this.#seen = { fingerprint: now.fingerprint, since };
    if (this.isOverdue()) return 0;
    if (now.isAtWork) return Math.max(this.#quietMs, 100);
    const quietSince = Math.max(this.#seen.since, this.#hintedAt);
    return Math.max(0, Math.ceil(quietSince + this.#quietMs - at));
  }

  isOverdue(): boolean {
    return this.#changingSince !== null && this.#clock.monotonic() - this.#changingSince > OVERDUE_MS;
  }

  isAccepted(fingerprint: string): boolean {
    return this.#accepted?.fingerprint === fingerprint;
  }

  accept(fingerprint: string, switchedTo: string): void {
    this.#accepted = { fingerprint, switchedTo };
    this.#seen = null;
    this.#changingSince = null;
  }

  /** The directory is lost: whatever comes next is new. */
  forget(): void {
    this.#accepted = null;
    this.#seen = null;
    this.#changingSince = null;
  }
}
