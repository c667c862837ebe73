import type { Run } from '@setkeeper/api';
import type { Logger } from 'pino';
import type { ProblemEars } from '../problems/create-problem-board.ts';

/** Problems in the log when they come and when they go. */
export function logProblems(log: Logger): ProblemEars {
  return {
    onRaised: ({ code, subject, severity, message }) => {
      if (severity === 'notice') log.info({ code, subject }, message);
      else log.warn({ code, subject }, message);
    },
    onCleared: ({ code, subject }) => log.info({ code, subject }, 'no longer a problem'),
  };
}

/** A run in the log when it has ended; what was rejected makes it a warning. */
export function logRun(log: Logger, run: Run): void {
  if (run.phase === 'running') return;
  const { applied, rejected, skipped, notRun } = run.operations;
  const facts = {
    run: run.id,
    cause: run.cause,
    actor: run.actor,
    sets: run.sets,
    applied,
    ...(rejected === 0 ? {} : { rejected }),
    ...(skipped === 0 ? {} : { skipped }),
    ...(notRun === 0 ? {} : { notRun }),
    ms: Math.round(run.durationMs),
  };
  if (run.phase === 'succeeded') log.info(facts, 'run succeeded');
  else log.warn({ ...facts, ...(run.error === undefined ? {} : { error: run.error.message }) }, `run ${run.phase}`);
}
