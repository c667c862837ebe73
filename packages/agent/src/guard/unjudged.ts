import type { Member } from '@setkeeper/ipset';
import type { ChangeCause } from '../model/change.ts';
import type { SetKey } from '../sets/set-key.ts';

/** What one source took away since the guard last judged. */
export interface SourceRemovals {
  readonly source: string;
  readonly causes: ChangeCause[];
  /** Objects that its changes were about. */
  objects: number;
  /** The source said something new: not only what it had when the agent started. */
  isChange: boolean;
  /** Objects of the source before the first of these changes, and how many are gone; null where nobody counts. */
  objectsBefore: number | null;
  objectsRemoved: number;
  readonly removed: Map<SetKey, Set<Member>>;
  readonly added: Map<SetKey, number>;
  /** Sets that nothing wants any more. */
  readonly unwanted: Set<SetKey>;
}

/**
 * Removals that the guard has not judged yet, by source. All that one source took away between two plans is one change:
 * a prefix that is emptied key by key arrives as many.
 */
export class Unjudged {
  readonly #bySource = new Map<string, SourceRemovals>();

  get isEmpty(): boolean {
    return this.#bySource.size === 0;
  }

  some(test: (record: SourceRemovals) => boolean): boolean {
    return this.#bySource.values().some(test);
  }

  /** The removals of a change's source, to be added to. */
  of(cause: ChangeCause): SourceRemovals {
    const known = this.#bySource.get(cause.source);
    if (known !== undefined) {
      if (!known.causes.includes(cause)) known.causes.push(cause);
      return known;
    }
    const fresh: SourceRemovals = {
      source: cause.source,
      causes: [cause],
      objects: 0,
      isChange: false,
      objectsBefore: null,
      objectsRemoved: 0,
      removed: new Map(),
      added: new Map(),
      unwanted: new Set(),
    };
    this.#bySource.set(cause.source, fresh);
    return fresh;
  }

  /** Some source wants this element again. */
  cameBack(key: SetKey, element: Member): void {
    for (const { removed } of this.#bySource.values()) {
      const elements = removed.get(key);
      if (elements?.delete(element) === true && elements.size === 0) removed.delete(key);
    }
  }

  /** Something wants this set again. */
  isWantedAgain(key: SetKey): void {
    for (const { unwanted } of this.#bySource.values()) unwanted.delete(key);
  }

  /** Hands everything over to be judged. */
  take(): readonly SourceRemovals[] {
    const all = [...this.#bySource.values()];
    this.#bySource.clear();
    return all;
  }
}
