import type { Run } from '@setkeeper/api';
import type { ExceptionRange } from './exception-ranges.ts';
import type { RunSection } from './store.ts';

/** What a run left behind beside its head. */
export interface RunDetails {
  readonly ranges: readonly ExceptionRange[];
  readonly sections: readonly RunSection[];
  readonly readBack: ReadonlyMap<string, string>;
}

export interface RememberedRun {
  readonly run: Run;
  readonly details?: RunDetails;
}

/** The runs that the history does not hold yet, or never took because it was paused. */
export interface RunMemory {
  put(run: Run, details?: RunDetails): void;
  get(id: string): RememberedRun | undefined;
  /** The history has it all now. */
  saved(id: string): void;
  /** Those that match, newest first. */
  unsaved(filter: {
    readonly failed?: boolean;
    readonly set?: string;
    readonly phase?: string;
    readonly text?: string;
  }): readonly Run[];
}

/** Ended runs that are kept while the history takes none; older ones are forgotten. */
const ENDED_RUNS_MAX = 100;
const FAILED_PHASES: ReadonlySet<Run['phase']> = new Set(['partly', 'failed', 'interrupted']);

export function createRunMemory(): RunMemory {
  /** In order of appearance: oldest first. */
  const runs = new Map<string, RememberedRun>();

  const forgetOldest = (): void => {
    let tooMany = runs.size - ENDED_RUNS_MAX;
    for (const [id, { run }] of runs) {
      if (tooMany <= 0) return;
      if (run.phase === 'running') continue;
      runs.delete(id);
      tooMany -= 1;
    }
  };

  return {
    put: (run, details) => {
      const known = runs.get(run.id)?.details;
      const kept = details ?? known;
      runs.set(run.id, kept === undefined ? { run } : { run, details: kept });
      forgetOldest();
    },
    get: (id) => runs.get(id),
    saved: (id) => {
      if (runs.get(id)?.run.phase !== 'running') runs.delete(id);
    },
    unsaved: (filter) =>
      [...runs.values()]
        .map(({ run }) => run)
        .filter(
          (run) =>
            (filter.failed !== true || FAILED_PHASES.has(run.phase)) &&
            (filter.phase === undefined || run.phase === filter.phase) &&
            (filter.set === undefined || (run.setNames ?? []).includes(filter.set)) &&
            (filter.text === undefined || JSON.stringify(run).includes(filter.text)),
        )
        .reverse(),
  };
}
