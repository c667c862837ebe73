import type { Run } from '@setkeeper/api';
import type { MadePlan } from '../plan/make-plan.ts';
import type { Section } from '../plan/plan.ts';
import { sectionLines } from '../plan/section-operations.ts';
import type { Execution } from '../restore/execution.ts';
import type { RunSection } from '../store/store.ts';

/** Who and what made a run. */
export interface RunCause {
  /** `model`, `start`, `drift`, `retry`, `apply`, `reprogram`, `release`, `cleanup`, `override`, ... */
  readonly cause: string;
  readonly causeDetail?: string;
  readonly actor: string;
  readonly reason?: string;
}

/** Who acts when nobody asked. */
export const ITSELF = 'setkeeper';

const NAMES_MAX = 1_000;

/** The record of a run that begins. */
export function beginningRun(id: string, at: number, plan: MadePlan, cause: RunCause, digest: string): Run {
  const names = plan.sections.map(({ set }) => set);
  return {
    id,
    at: new Date(at).toISOString(),
    cause: cause.cause,
    ...(cause.causeDetail === undefined ? {} : { causeDetail: cause.causeDetail }),
    actor: cause.actor,
    ...(cause.reason === undefined ? {} : { reason: cause.reason }),
    phase: 'running',
    sets: names.length,
    setNames: names.slice(0, NAMES_MAX),
    operations: { applied: 0, rejected: 0, skipped: 0, notRun: plan.lines },
    lines: plan.lines,
    attempts: 0,
    durationMs: 0,
    digest,
  };
}

/** The record of a run that ended. */
export function endedRun(
  run: Run,
  execution: Execution,
  end: { readonly at: number; readonly durationMs: number },
): Run {
  const { counts, environment } = execution;
  return {
    ...run,
    finishedAt: new Date(end.at).toISOString(),
    phase: phaseOf(execution),
    operations: counts,
    attempts: execution.attempts,
    durationMs: Math.round(end.durationMs * 1000) / 1000,
    ...(environment === undefined ? {} : { error: { code: environment.code, message: environment.message } }),
  };
}

function phaseOf({ counts, environment }: Execution): Run['phase'] {
  if (environment !== undefined) return 'failed';
  if (counts.rejected + counts.skipped + counts.notRun === 0) return 'succeeded';
  return counts.applied === 0 ? 'failed' : 'partly';
}

/** Which lines of a run's script are whose. */
export function runSections(sections: readonly Section[]): readonly RunSection[] {
  let firstLine = 1;
  return sections.map((section) => {
    const lines = sectionLines(section);
    const { set, group, family, how } = section;
    const row = { firstLine, lines, set, group, family, how };
    firstLine += lines;
    return row;
  });
}
