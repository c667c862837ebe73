import type { Run } from '@setkeeper/api';
import type { SetName } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { Refusal } from '../sets/parking.ts';
import type { ExceptionRange } from '../store/exception-ranges.ts';
import type { RunSection } from '../store/store.ts';
import type { EngineState } from './engine-state.ts';

/**
 * What a run left parked and is parked still. What was refused again since, by attempts that the engine made by itself, is
 * still the run's: whoever looks at it hours later retries the same members. O(sets + exceptions).
 */
export class ParkedByRun {
  readonly sets: readonly ManagedSet[];
  readonly #id: string;
  readonly #endedAt: number;
  readonly #refusedIn: ReadonlySet<SetName>;

  constructor(state: EngineState, run: Run) {
    const { runs } = state.ports.store;
    this.#id = run.id;
    this.#endedAt = Date.parse(run.finishedAt ?? run.at);
    this.#refusedIn = setsOf(runs.exceptionRanges(run.id), runs.sections(run.id));
    this.sets = [...state.registry.all()].filter((set) => this.#countOf(set) > 0);
  }

  /** How many members and operations that are. */
  get count(): number {
    return this.sets.reduce((sum, set) => sum + this.#countOf(set), 0);
  }

  /** Whether a refusal that stands in a set was the run's. */
  has(set: ManagedSet, refusal: Refusal | null | undefined): boolean {
    if (refusal === null || refusal === undefined) return false;
    return refusal.run === this.#id || (refusal.since <= this.#endedAt && this.#refusedIn.has(set.name));
  }

  #countOf(set: ManagedSet): number {
    let count = this.has(set, set.failure) ? 1 : 0;
    for (const [, refusal] of set.ledger.parking.entries()) if (this.has(set, refusal)) count++;
    return count;
  }
}

/** The sets in which lines were rejected; both in ascending order. */
function setsOf(ranges: readonly ExceptionRange[], sections: readonly RunSection[]): ReadonlySet<SetName> {
  const rejected = ranges.filter(({ outcome }) => outcome === 'rejected');
  const sets = new Set<SetName>();
  let next = 0;
  for (const { set, firstLine, lines } of sections) {
    while ((rejected[next]?.lastLine ?? Number.POSITIVE_INFINITY) < firstLine) next++;
    const range = rejected[next];
    if (range === undefined) break;
    if (range.line < firstLine + lines) sets.add(set as SetName);
  }
  return sets;
}
