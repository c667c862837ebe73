/** A test that did not run, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** What a runner did: numbers of tests, and the names a person asks for. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly Skipped[];
  /** What failed, one line each, for the end of a long log. */
  readonly failures: readonly string[];
  /** What was seen, as lines for the end of a long log. */
  readonly figures?: readonly string[];
}

/** One part of `./test` as it ended. */
export interface PartResult extends Tally {
  readonly part: string;
  readonly durationMs: number;
}

/**
 * The tally of a part whose runner ended with `exitCode`. A runner that left no tally, that failed though no test did
 * (an unhandled error, a broken configuration), or that ran nothing is a failure of its own: silence is not success.
 */
export function judge(tally: Tally | undefined, exitCode: number | undefined): Tally {
  if (tally === undefined)
    return failedBy('the runner ended without a result', { passed: 0, failed: 0, skipped: [], failures: [] });
  if (tally.failed === 0 && exitCode !== 0)
    return failedBy(`the runner ended with exit code ${exitCode ?? 'none'}`, tally);
  if (tally.failed === 0 && tally.passed === 0) return failedBy('no test ran', tally);
  return tally;
}

/** The last line of `./test`: `12 passed, 0 failed`, and `, 1 skipped` where a test was skipped. */
export function summaryLine(parts: readonly Tally[]): string {
  const sum = (count: (tally: Tally) => number) => parts.reduce((total, tally) => total + count(tally), 0);
  const skipped = sum((tally) => tally.skipped.length);
  return `${sum((tally) => tally.passed)} passed, ${sum((tally) => tally.failed)} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function failedBy(why: string, tally: Tally): Tally {
  return { ...tally, failed: tally.failed + 1, failures: [...tally.failures, why] };
}
