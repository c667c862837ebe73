/** Neighbouring operations of a section that were not applied, by their index in the section. */
export interface SectionException {
  readonly first: number;
  readonly last: number;
  readonly outcome: 'rejected' | 'skipped' | 'not-run';
  readonly code: string;
  readonly message: string;
}

/** What was not applied of one section: ranges in ascending order, so that a million lines that were not run are one. */
export class SectionExceptions {
  readonly ranges: readonly SectionException[];

  constructor(ranges: readonly SectionException[] = []) {
    this.ranges = ranges;
  }

  /** How many operations were not applied. O(ranges). */
  get lines(): number {
    return this.ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /** What became of the operation at an index; undefined: it was applied. O(log ranges). */
  at(index: number): SectionException | undefined {
    let low = 0;
    let high = this.ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.ranges[middle];
      if (range === undefined || index < range.first) high = middle - 1;
      else if (index > range.last) low = middle + 1;
      else return range;
    }
    return undefined;
  }

  /** The indexes in `[from, to)` that were not applied, lazily. */
  *indexes(from: number, to: number): Generator<number, void, undefined> {
    for (const { first, last } of this.ranges) {
      for (let index = Math.max(first, from); index <= last && index < to; index++) yield index;
    }
  }
}
