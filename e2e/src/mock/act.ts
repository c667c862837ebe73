import type { Handlers } from '@setkeeper/api';
import { ApiError } from '@setkeeper/api';
import type { MockState } from './mock-state.ts';
import { planLines, planOf } from './plan-world.ts';
import type { WorldRun } from './run-world.ts';
import type { WorldSet } from './set-world.ts';

type Selection = Omit<Parameters<Handlers['plan.get']>[0], 'scriptLimit'>;

/** The sets a selection names. */
export function chosenSets(state: MockState, selection: Pick<Selection, 'groups' | 'reprogram' | 'all'>): WorldSet[] {
  const groups = new Set(selection.groups);
  const named = state.sets.filter((set) => groups.size === 0 || groups.has(set.group));
  return selection.reprogram
    ? selection.all || groups.size > 0
      ? named
      : []
    : named.filter((set) => set.pending.adds + set.pending.dels > 0);
}

/** Refuses a digest that is no longer the plan's. */
export function checkDigest(state: MockState, selection: Selection, digest: string | undefined): void {
  if (digest === undefined) return;
  const now = planOf(chosenSets(state, selection), selection.reprogram, 0, state.revision);
  if (now.digest !== digest) {
    throw new ApiError('digest-stale', 'The plan changed since it was shown.', {
      remedy: 'Look at the new plan.',
      details: { digest: now.digest },
    });
  }
}

/** Runs over sets for about a second and a half, with progress as it goes; the sets are in order afterwards. */
export function startRun(
  state: MockState,
  sets: readonly WorldSet[],
  more: Partial<WorldRun> & { readonly isRewrite: boolean },
): WorldRun {
  const { isRewrite, ...rest } = more;
  const lines = planLines(sets, isRewrite);
  const id = `r-${state.nextRun}`;
  state.nextRun += 1;
  const run: WorldRun = {
    id,
    at: new Date().toISOString(),
    cause: 'apply',
    actor: 'local',
    phase: 'running',
    sets: sets.length,
    setNames: sets.map((set) => set.name),
    operations: { applied: 0, rejected: 0, skipped: 0, notRun: lines.length },
    lines: lines.length,
    attempts: 1,
    durationMs: 0,
    digest: 'c'.repeat(64),
    ...rest,
  };
  state.runs = [run, ...state.runs];
  state.events.emit({ type: 'run-started', run: id, groups: sets.slice(0, 100).map((set) => set.group) });
  const steps = 6;
  for (let step = 1; step <= steps; step += 1) {
    setTimeout(() => {
      const done = Math.round((lines.length * step) / steps);
      const isDone = step === steps;
      const now: WorldRun = {
        ...run,
        phase: isDone ? 'succeeded' : 'running',
        operations: { applied: done, rejected: 0, skipped: 0, notRun: lines.length - done },
        durationMs: step * 250,
        ...(isDone ? { finishedAt: new Date().toISOString() } : {}),
      };
      state.runs = state.runs.map((one) => (one.id === id ? now : one));
      state.outcomes.set(
        id,
        lines.map((line, index) => ({ ...line, outcome: index < done ? 'applied' : 'not-run' })),
      );
      if (!isDone) {
        state.events.emit({ type: 'run-progress', run: id, progress: { done, total: lines.length, rejected: 0 } });
        return;
      }
      const names = new Set(sets.map((set) => set.name));
      state.sets = state.sets.map((set) => (names.has(set.name) ? settled(set, id) : set));
      state.events.emit({ type: 'run-finished', run: id, message: `${lines.length} applied` });
      state.events.emit({ type: 'sets-changed', groups: sets.slice(0, 100).map((set) => set.group) });
    }, step * 250);
  }
  return run;
}

function settled(set: WorldSet, run: string): WorldSet {
  const { error: _error, blocked: _blocked, blockedDetail: _detail, syncCause: _cause, ...rest } = set;
  return {
    ...rest,
    phase: 'live',
    sync: 'in-sync',
    programmed: set.desired,
    kernel: set.desired,
    pending: { adds: 0, dels: 0 },
    parked: 0,
    drifted: 0,
    lastRun: run,
    lastResult: 'succeeded',
    readAt: new Date().toISOString(),
    changedAt: new Date().toISOString(),
  };
}
