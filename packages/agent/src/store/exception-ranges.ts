import type { Exception } from '../restore/execution.ts';

/** Neighbouring lines that were not applied, for one cause: a rejected create that skips a million lines is one range. */
export interface ExceptionRange extends Exception {
  /** `line` is the first. */
  readonly lastLine: number;
}

/** Kept of a tool's standard error a range. */
const RAW_CHARACTERS_MAX = 4_096;

/** Joins neighbours with one cause. Lines come in any order; O(n log n). */
export function toRanges(exceptions: readonly Exception[]): readonly ExceptionRange[] {
  const sorted = isAscending(exceptions) ? exceptions : exceptions.toSorted((one, other) => one.line - other.line);
  const ranges: ExceptionRange[] = [];
  for (const exception of sorted) {
    const last = ranges.at(-1);
    const lastLine = exception.lastLine ?? exception.line;
    if (last !== undefined && last.lastLine === exception.line - 1 && isSameCause(last, exception))
      ranges[ranges.length - 1] = { ...last, lastLine };
    else ranges.push({ ...cut(exception), lastLine });
  }
  return ranges;
}

/** The lines of the ranges, one exception each. */
export function fromRanges(ranges: readonly ExceptionRange[]): readonly Exception[] {
  return ranges.flatMap(({ lastLine, ...first }) =>
    Array.from({ length: lastLine - first.line + 1 }, (_, index) => ({ ...first, line: first.line + index })),
  );
}

/** The range that holds a line, by bisection; ranges ascending. */
export function rangeAt(ranges: readonly ExceptionRange[], line: number): ExceptionRange | null {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return null;
    if (line < range.line) high = middle - 1;
    else if (line > range.lastLine) low = middle + 1;
    else return range;
  }
  return null;
}

const isSameCause = (one: Exception, other: Exception): boolean =>
  one.outcome === other.outcome &&
  one.code === other.code &&
  one.because === other.because &&
  one.message === other.message &&
  one.raw?.slice(0, RAW_CHARACTERS_MAX) === other.raw?.slice(0, RAW_CHARACTERS_MAX);

const cut = (exception: Exception): Exception =>
  exception.raw === undefined || exception.raw.length <= RAW_CHARACTERS_MAX
    ? exception
    : { ...exception, raw: exception.raw.slice(0, RAW_CHARACTERS_MAX) };

const isAscending = (exceptions: readonly Exception[]): boolean =>
  exceptions.every((exception, index) => index === 0 || (exceptions[index - 1]?.line ?? 0) < exception.line);
