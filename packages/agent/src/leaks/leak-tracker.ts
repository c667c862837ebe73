import type { Holder, Leak } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import { explainedCount, type HolderReading, holdersOf } from '../holders/holder-reading.ts';

/** Kernel references of one set that nothing found explains, and since when. */
export interface Unexplained {
  readonly name: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * Follows unexplained kernel references over time: one that lasts longer than `afterSeconds` is a leak, a younger one is pending. Expired
 * members of a list that the kernel has not collected yet are no leak (they count in References for up to about 30 s, KERNEL.md section 4).
 */
export class LeakTracker {
  readonly #since = new Map<string, { count: number; since: number }>();

  /** Takes a reading of headers and holders that belong together. */
  observe(sets: readonly ListedSet[], reading: HolderReading): void {
    const seen = new Set<string>();
    for (const set of sets) {
      const { name } = set.header;
      const count = (set.references ?? 0) - explainedCount(reading, name);
      if (count <= 0) continue;
      seen.add(name);
      const before = this.#since.get(name);
      if (before === undefined) this.#since.set(name, { count, since: reading.at });
      else before.count = count;
    }
    for (const name of this.#since.keys()) if (!seen.has(name)) this.#since.delete(name);
  }

  /** What is unexplained now, oldest first, leak or pending. */
  unexplained(): readonly Unexplained[] {
    return [...this.#since]
      .map(([name, { count, since }]) => ({ name, count, since }))
      .sort((a, b) => a.since - b.since);
  }

  /** When the unexplained references of a set were first seen. */
  since(name: string): number | null {
    return this.#since.get(name)?.since ?? null;
  }

  /** The lasting ones. */
  leaks(o: {
    readonly now: number;
    readonly afterSeconds: number;
    readonly reading: HolderReading | null;
  }): readonly Leak[] {
    return this.unexplained()
      .filter(({ since }) => o.now - since >= o.afterSeconds * 1000)
      .map(({ name, count, since }) => ({
        kind: 'kernel',
        name,
        count,
        since: new Date(since).toISOString(),
        holders: [...holdersOf(o.reading, name)],
        possibleHolders: [...(o.reading?.possible ?? [])],
        advice: advice(name, o.reading),
      }));
  }
}

function advice(name: string, reading: HolderReading | null): string {
  const unreadable = reading?.unreadable ?? [];
  if (unreadable.length > 0) {
    return `Not everything could be read (${unreadable.map((one) => one.what).join(', ')}): mend that first, the holder may be there.`;
  }
  const possible: readonly Holder[] = reading?.possible ?? [];
  const [first] = possible;
  if (first !== undefined) {
    return `A rule of the nft compat match "set" does not show which set it uses: look at ${possible.map((one) => one.where).join('; ')} and delete it if it is not wanted (${first.removeWith ?? 'nft delete rule'}).`;
  }
  return `Nothing on this host shows a holder of ${name}. A rule deleted a moment ago can hold it for a while; if it lasts, a process may hold it in a way that no tool shows: restart the tool that last used it, or reboot at the next occasion.`;
}
