import type { Run, RunDetail } from '../../client/api-types.ts';
import { count } from '../../ui/count.ts';

/** What became of a run's operations: `9,950 applied, 50 rejected, 0 uncertain`. Every operation has exactly one outcome, so nothing is uncertain once a run ended. */
export function outcomeCounts(run: Pick<Run, 'operations' | 'phase'>): string {
  const { applied, rejected, skipped, notRun } = run.operations;
  const parts = [`${count(applied)} applied`, `${count(rejected)} rejected`];
  if (skipped > 0) parts.push(`${count(skipped)} skipped`);
  if (run.phase === 'running') parts.push(`${count(notRun)} to go`);
  else {
    if (notRun > 0) parts.push(`${count(notRun)} not run`);
    parts.push('0 uncertain');
  }
  return parts.join(', ');
}

/** The first line of a run: the counts, and what the failures have in common. */
export function runSentence(run: Pick<RunDetail, 'operations' | 'phase' | 'failures' | 'error'>): string {
  const counts = outcomeCounts(run);
  if (run.error !== undefined) return `${counts}; the whole run stopped: ${run.error.message}`;
  const [first, ...others] = run.failures;
  const { applied, rejected, skipped, notRun } = run.operations;
  if (first === undefined) {
    const isEmpty = run.phase === 'succeeded' && applied + rejected + skipped + notRun === 0;
    return isEmpty ? `${counts}; there was no line to send` : counts;
  }
  const where = first.group ?? first.set;
  if (others.length === 0) {
    const which = rejected === 1 ? 'the one is' : `the ${count(rejected)} are all`;
    return `${counts}; ${which} "${first.code}" in ${where}`;
  }
  const sets = new Set(run.failures.map((failure) => failure.set)).size;
  const codes = new Set(run.failures.map((failure) => failure.code)).size;
  return `${counts}; ${count(codes)} ${codes === 1 ? 'cause' : 'causes'} in ${count(sets)} ${sets === 1 ? 'set' : 'sets'}, most of them "${first.code}" in ${where}`;
}

/** What a run that ended means for enforcement now; null where nothing was rejected. */
export function enforcementNow(run: Pick<RunDetail, 'phase' | 'failures' | 'retryable'>): string | null {
  if (run.phase === 'running' || run.failures.length === 0) return null;
  const { retryable } = run;
  if (retryable === 0) return 'None of it waits to be tried again.';
  const [where, ...others] = new Set(run.failures.map((failure) => failure.group ?? failure.set));
  const what = `${count(retryable)} of its operations ${retryable === 1 ? 'is' : 'are'} still not in force`;
  return others.length === 0
    ? `${what}: ${where} is not what the model says.`
    : `${what}: not all of the ${count(others.length + 1)} groups below are what the model says.`;
}
