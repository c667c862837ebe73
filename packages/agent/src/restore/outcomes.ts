import type { FailureCode, RestoreFailure } from '@setkeeper/ipset';
import type { Exception, Execution } from './execution.ts';

/** Lines `[from, to)` that are left out because of an earlier one. */
interface Skip {
  readonly from: number;
  readonly to: number;
  readonly because: number;
}

/** Why a line was not applied. */
export interface Rejection {
  readonly code: FailureCode;
  readonly message: string;
  readonly raw: string;
}

/**
 * What became of a plan's lines, counted from 0: rejected or skipped ones are kept, every other line before the end of
 * what ran is applied. Memory grows with rejections, not with lines.
 */
export class Outcomes {
  readonly #rejected = new Map<number, Rejection>();
  readonly #passedOver = new Set<number>();
  /** Ascending, never overlapping. */
  #skips: Skip[] = [];

  get rejectedCount(): number {
    return this.#rejected.size;
  }

  reject(line: number, rejection: Rejection | RestoreFailure): void {
    const { code, message, raw } = rejection;
    this.#rejected.set(line, { code, message, raw });
  }

  /** Leaves out `[from, to)` because of an earlier line; lines there that were refused before they were sent are left out too. */
  skip(from: number, to: number, because: number): void {
    for (const line of linesBetween(this.#rejected, from, to)) this.#rejected.delete(line);
    if (from < to) this.#skips.splice(this.#skipsBefore(from), 0, { from, to, because });
  }

  /** The line is true already: it is not sent, and counts as applied. */
  passOver(line: number): void {
    this.#passedOver.add(line);
  }

  /** Takes back what was said of `[from, to)`: those lines run again. */
  reopen(from: number, to: number): void {
    for (const line of linesBetween(this.#rejected, from, to)) this.#rejected.delete(line);
    for (const line of linesBetween(this.#passedOver, from, to)) this.#passedOver.delete(line);
    this.#skips = this.#skips.filter((skip) => skip.to <= from || skip.from >= to);
  }

  /** The first line from `line` on that has no outcome here and is to be run. */
  nextOpen(line: number): number {
    let open = line;
    if (this.#rejected.size === 0 && this.#skips.length === 0 && this.#passedOver.size === 0) return open;
    for (;;) {
      const skip = this.#skips[this.#skipsBefore(open + 1) - 1];
      if (skip !== undefined && open < skip.to) open = skip.to;
      else if (this.#rejected.has(open) || this.#passedOver.has(open)) open++;
      else return open;
    }
  }

  isOpen(line: number): boolean {
    return this.nextOpen(line) === line;
  }

  /** How many of `[from, to)` were rejected. */
  rejectedBetween(from: number, to: number): number {
    return linesBetween(this.#rejected, from, to).length;
  }

  /** The exceptions in order and the counts, when everything before `ranTo` ran and nothing from there on did. O(rejections). */
  settle(total: number, ranTo: number): Pick<Execution, 'exceptions' | 'counts'> {
    const exceptions: Exception[] = [];
    const counts = { applied: 0, rejected: 0, skipped: 0, notRun: 0 };
    let nextSkip = 0;
    const rejectedLines = [...this.#rejected.keys()].sort((a, b) => a - b);
    let nextRejected = 0;
    let line = 0;
    while (line < total) {
      while ((this.#skips[nextSkip]?.to ?? Number.POSITIVE_INFINITY) <= line) nextSkip++;
      const skip = this.#skips[nextSkip];
      const rejectedLine = rejectedLines[nextRejected];
      if (rejectedLine === line) {
        const rejection = this.#rejected.get(line);
        exceptions.push({ line: line + 1, outcome: 'rejected', ...rejection });
        counts.rejected++;
        nextRejected++;
        line++;
      } else if (skip !== undefined && line >= skip.from) {
        const end = Math.min(rejectedLine ?? total, skip.to, total);
        exceptions.push({ ...spanOf(line, end), outcome: 'skipped', because: skip.because + 1 });
        counts.skipped += end - line;
        line = end;
      } else if (line >= ranTo) {
        const end = Math.min(rejectedLine ?? total, skip?.from ?? total, total);
        exceptions.push({ ...spanOf(line, end), outcome: 'not-run' });
        counts.notRun += end - line;
        line = end;
      } else {
        const next = Math.min(rejectedLine ?? total, skip?.from ?? total, ranTo);
        counts.applied += next - line;
        line = next;
      }
    }
    return { exceptions, counts };
  }

  /** How many skips begin before a line, by bisection. */
  #skipsBefore(line: number): number {
    let low = 0;
    let high = this.#skips.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#skips[middle]?.from ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** `[from, to)` counted from 0, as lines from 1. */
const spanOf = (from: number, to: number): Pick<Exception, 'line' | 'lastLine'> =>
  to - from === 1 ? { line: from + 1 } : { line: from + 1, lastLine: to };

/** The kept lines of `[from, to)`: looked for in the shorter of the two, the range or what is kept. */
function linesBetween(
  kept: ReadonlySet<number> | ReadonlyMap<number, unknown>,
  from: number,
  to: number,
): readonly number[] {
  if (to - from >= kept.size) return [...kept.keys()].filter((line) => line >= from && line < to);
  const lines: number[] = [];
  for (let line = from; line < to; line++) if (kept.has(line)) lines.push(line);
  return lines;
}
