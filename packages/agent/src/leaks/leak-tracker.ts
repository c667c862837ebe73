import type { Leak } from '@setkeeper/api';
import { explainedCount, type HolderReading, holdersOf } from '../holders/holder-reading.ts';
import { leakAdvice } from './leak-advice.ts';

/** Kernel references of one set that nothing found explains, and since when. */
export interface Unexplained {
  readonly name: string;
  readonly count: number;
  /** Milliseconds since 1970: when they were first seen. */
  readonly since: number;
}

/** An expired member of a list is collected after about 30 s (KERNEL.md section 4); until then it may be what holds a set. */
const EXPIRED_MEMBER_MS = 120_000;

/**
 * Follows unexplained kernel references over time: one that lasts longer than `afterSeconds` is a leak, a younger one is
 * pending. What rests on a reading that could not see everything is neither: see `HolderReading.isConclusive`.
 */
export class LeakTracker {
  readonly #since = new Map<string, { count: number; since: number }>();
  #reading: HolderReading | null = null;

  /** Takes a reading over. A blind one changes nothing; sets whose references moved under it keep their state. */
  observe(reading: HolderReading): void {
    if (reading.sets === null) return;
    this.#reading = reading;
    const kept = new Set<string>(reading.moving);
    for (const set of reading.sets) {
      const { name } = set.header;
      if (reading.moving.has(name)) continue;
      const count = (set.references ?? 0) - explainedCount(reading, name);
      if (count <= 0) continue;
      kept.add(name);
      const before = this.#since.get(name);
      if (before === undefined) this.#since.set(name, { count, since: reading.at });
      else before.count = count;
    }
    for (const name of this.#since.keys()) if (!kept.has(name)) this.#since.delete(name);
  }

  /** What is unexplained now, oldest first, leak or pending. */
  unexplained(): readonly Unexplained[] {
    return [...this.#since]
      .map(([name, { count, since }]) => ({ name, count, since }))
      .sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1));
  }

  /** The unexplained references of one set; null: none. */
  of(name: string): Unexplained | null {
    const found = this.#since.get(name);
    return found === undefined ? null : { name, ...found };
  }

  /** The lasting ones, oldest first: still there in a reading that is `afterSeconds` younger than the first one. */
  leaks(afterSeconds: number): readonly Leak[] {
    const reading = this.#reading;
    if (reading === null || !reading.isConclusive) return [];
    const ageMs = this.#ageMs(afterSeconds);
    return this.unexplained()
      .filter(({ since }) => reading.at - since >= ageMs)
      .map(({ name, count, since }) => ({
        kind: 'kernel',
        name,
        count,
        since: new Date(since).toISOString(),
        holders: [...holdersOf(reading, name)],
        possibleHolders: [...reading.possible],
        advice: leakAdvice(name, reading),
      }));
  }

  /** When a new reading would tell whether something pending is a leak (milliseconds since 1970); null: nothing is pending. */
  confirmAt(afterSeconds: number): number | null {
    const reading = this.#reading;
    const ageMs = this.#ageMs(afterSeconds);
    const pending = this.unexplained().find(({ since }) => reading !== null && reading.at - since < ageMs);
    return pending === undefined ? null : pending.since + ageMs;
  }

  #ageMs(afterSeconds: number): number {
    return afterSeconds * 1000 + ((this.#reading?.expired ?? 0) > 0 ? EXPIRED_MEMBER_MS : 0);
  }
}
