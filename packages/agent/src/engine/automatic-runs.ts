import type { ChangeCause } from '../model/change.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { adopt, allSourcesSpoke } from './adoption.ts';
import { reviewApplyWaiting } from './apply-waiting.ts';
import { automaticRules } from './automatic-rules.ts';
import { closeDrift } from './drift-record.ts';
import type { DriftWatch } from './drift-watch.ts';
import type { EngineState } from './engine-state.ts';
import { holdHandOvers } from './hand-over.ts';
import { isSomeGone, judgeRemovals, needsHeaders } from './judge-removals.ts';
import type { HeaderReader } from './kernel-headers.ts';
import { reviewLife } from './life-review.ts';
import type { StepResult } from './loop.ts';
import type { ModelIntake } from './model-intake.ts';
import { endEnvironmentPause, endPauses, forgetOldFailure, pauseUntilDue } from './pauses.ts';
import { mayEnd, pendingSections } from './pending-sections.ts';
import type { ReadBack } from './read-back.ts';
import { ITSELF, type RunCause } from './run-record.ts';
import { AUTOMATIC, type Runner, type RunParts, type StartedRun } from './runner.ts';
import { clearProblems, reviewProblems } from './set-problems.ts';
import { dueSweeps, sweepSections } from './sweep.ts';

/** Pause between two attempts to read a kernel that cannot be read. */
export const UNREADABLE_PAUSE_MS = 2_000;

const UNREADABLE: StepResult = { kind: 'later', ms: UNREADABLE_PAUSE_MS };
const AGAIN: StepResult = { kind: 'again' };

/** What the engine does by itself: takes the kernel over, reads what must be read, judges removals, sends what may be sent. */
export class AutomaticRuns {
  readonly #state: EngineState;
  readonly #headers: HeaderReader;
  readonly #drift: DriftWatch;
  readonly #readBack: ReadBack;
  readonly #runner: Runner;
  readonly #intake: ModelIntake;
  /** What the model changes since the last run were, in words. */
  readonly #changes = new Set<string>();
  #isFirst = true;
  #isModelChanged = false;

  constructor(parts: {
    readonly state: EngineState;
    readonly headers: HeaderReader;
    readonly drift: DriftWatch;
    readonly readBack: ReadBack;
    readonly runner: Runner;
    readonly intake: ModelIntake;
  }) {
    this.#state = parts.state;
    this.#headers = parts.headers;
    this.#drift = parts.drift;
    this.#readBack = parts.readBack;
    this.#runner = parts.runner;
    this.#intake = parts.intake;
  }

  /** A model change came: the next run is because of it. */
  modelChanged({ source, files, commit }: ChangeCause): void {
    const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ' ...' : ''}`;
    const what = files.length === 0 ? source : `${source}: ${named}`;
    this.#changes.add(commit === undefined ? what : `${what} (${commit.slice(0, 12)})`);
    this.#isModelChanged = true;
  }

  /** Does the next thing that is to be done. */
  async step(): Promise<StepResult> {
    if (!(await this.#knowKernel())) return UNREADABLE;
    const nextPause = endPauses(this.#state);
    const wait = this.#waitMs();
    if (wait > 0) return { kind: 'later', ms: wait };
    const { dirty, unjudged, isWithholding } = this.#state;
    const hasWork = dirty.size > 0 || dueSweeps(this.#state).length > 0 || !unjudged.isEmpty;
    const maySpeak = isWithholding && this.#state.missingSources.length === 0;
    return hasWork || maySpeak ? this.#work() : this.#rest(nextPause);
  }

  /** Judges what was taken away and not judged yet. Nothing may be planned before. False: the kernel could not be read, and what is used is not known. */
  async judge(): Promise<boolean> {
    const state = this.#state;
    const isSpoken = state.isWithholding && state.missingSources.length === 0;
    const mayEndNow = [...state.dirty].some((set) => mayEnd(state, set));
    if (isSpoken || needsHeaders(state) || mayEndNow) {
      const headers = await this.#headers.readFresh();
      if (headers === null) return false;
      if (isSomeGone(state, headers)) {
        await this.#drift.idle();
        if (!(await this.#knowKernel())) return false;
      }
    }
    if (isSpoken) allSourcesSpoke(state);
    holdHandOvers(state);
    judgeRemovals(state);
    return true;
  }

  async #work(): Promise<StepResult> {
    const state = this.#state;
    const started = await this.#intake.still(async () => {
      if (!(await this.judge())) return UNREADABLE;
      if (state.toRead.size > 0) return AGAIN;
      const looked = [...state.dirty];
      state.dirty.clear();
      return this.#start(looked);
    });
    if (started === null) return AGAIN;
    if ('kind' in started) return started;
    await started.ended;
    return AGAIN;
  }

  /** Plans and begins what may be sent for some sets; null: nothing may. */
  async #start(sets: readonly ManagedSet[]): Promise<StartedRun | null> {
    const state = this.#state;
    const planned = await pendingSections(state, sets, automaticRules(state));
    const parts: RunParts = { planned, others: sweepSections(state), scope: AUTOMATIC };
    for (const set of sets) pauseUntilDue(state, set);
    const sent = new Set(planned.filter(({ section }) => section !== null).map(({ set }) => set));
    this.#leaveAsTheyAre(sets.filter((set) => !sent.has(set)));
    if (parts.others.length > 0 || sent.size > 0) {
      return this.#runner.start(this.#runner.plan(parts), parts, this.#cause(planned.map(({ set }) => set)));
    }
    this.#isModelChanged = false;
    return null;
  }

  /** Takes the kernel's sets over, once, and reads whatever must be read. False: it could not be read. */
  async #knowKernel(): Promise<boolean> {
    const state = this.#state;
    if (state.isAdopted && state.toRead.size === 0) return true;
    const headers = await this.#headers.readFresh();
    if (headers === null) return false;
    if (!state.isAdopted) {
      await adopt(state, headers, this.#readBack);
      for (const set of state.registry.all()) state.dirty.add(set);
    } else {
      const sets = [...state.toRead].filter((set) => !set.isInFlight);
      await this.#readBack.read(sets, headers);
    }
    return state.toRead.size === 0;
  }

  /** How long nothing may be sent: the world failed a moment ago, or changes are given time to gather. */
  #waitMs(): number {
    const { environment, ports } = this.#state;
    const retry = environment === null ? 0 : environment.retryAt - this.#state.now();
    const settled = this.#runner.endedAt + ports.config.sets.settleMs - ports.clock.monotonic();
    return Math.max(retry, settled, 0);
  }

  #rest(nextPause: number | null): StepResult {
    reviewApplyWaiting(this.#state);
    endEnvironmentPause(this.#state);
    this.#state.ports.onRest?.();
    return nextPause === null ? { kind: 'idle' } : { kind: 'later', ms: nextPause - this.#state.now() };
  }

  #leaveAsTheyAre(sets: readonly ManagedSet[]): void {
    const state = this.#state;
    for (const set of sets) {
      forgetOldFailure(state, set);
      // Whoever made the difference took it back, or nobody wants the set any more.
      closeDrift(state, set, set.lastRun?.id ?? '');
      reviewLife(state, set);
      if (state.registry.get(set.key) === set) reviewProblems(state, set);
      else clearProblems(state, set);
    }
    if (sets.length === 0) return;
    const groups = [...new Set(sets.map(({ group }) => group))];
    const more = groups.length - 100;
    state.ports.events.emit({ type: 'sets-changed', groups: groups.slice(0, 100), ...(more > 0 ? { more } : {}) });
  }

  #cause(sets: readonly ManagedSet[]): RunCause {
    const detail = [...this.#changes].slice(-5).join('; ');
    const isModel = this.#isModelChanged;
    const isFirst = this.#isFirst;
    this.#changes.clear();
    this.#isModelChanged = false;
    this.#isFirst = false;
    const cause = isFirst ? 'start' : isModel ? 'model' : sets.some(({ drift }) => drift !== null) ? 'drift' : 'retry';
    return { cause, actor: ITSELF, ...(isModel && detail !== '' ? { causeDetail: detail } : {}) };
  }
}
