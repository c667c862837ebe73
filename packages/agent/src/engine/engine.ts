import { ApiError } from '@setkeeper/api';
import type { OverrideEntry } from '../membership/membership.ts';
import type { ModelChange } from '../model/change.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { adopt, allSourcesSpoke } from './adoption.ts';
import { reviewApplyWaiting } from './apply-waiting.ts';
import { automaticRules } from './automatic-rules.ts';
import { closeDrift } from './drift-record.ts';
import { DriftWatch } from './drift-watch.ts';
import { EngineState, type HeaderReading, type StandingPin } from './engine-state.ts';
import { handedOverSets, holdHandOvers, releasedHandOvers } from './hand-over.ts';
import { HeaderLook } from './header-look.ts';
import { judgeRemovals, needsHeaders } from './judge-removals.ts';
import { HeaderReader } from './kernel-headers.ts';
import { reviewLife } from './life-review.ts';
import { Loop, type StepResult } from './loop.ts';
import { ModelIntake } from './model-intake.ts';
import { noteUse } from './note-use.ts';
import { endPauses, forgetOldFailure, pauseUntilDue } from './pauses.ts';
import { mayEnd, pendingSections } from './pending-sections.ts';
import type { EnginePorts, SourceStanding } from './ports.ts';
import { ReadBack } from './read-back.ts';
import { ITSELF, type RunCause } from './run-record.ts';
import { AUTOMATIC, Runner, type RunParts, type StartedRun } from './runner.ts';
import { clearProblems, reviewProblems } from './set-problems.ts';
import { type Settled, SettledReader } from './settled.ts';
import { dueSweeps, sweepSections } from './sweep.ts';

/** What an operator asks to be done: made of what is true when its turn comes, refused by throwing ApiError. */
export type RunRequest = () => Promise<{
  readonly parts: RunParts;
  readonly cause: RunCause;
  readonly digest?: string;
}>;

/** Pause between two attempts to read a kernel that cannot be read. */
const UNREADABLE_PAUSE_MS = 2_000;

/**
 * Brings the kernel's sets to what the model says, one run at a time, and takes every truth from the kernel. It never
 * throws for what the kernel or a source says, never flushes, and does nothing to the kernel when it stops.
 */
export class Engine {
  readonly state: EngineState;
  readonly headers: HeaderReader;
  readonly drift: DriftWatch;
  readonly #ports: EnginePorts;
  readonly #intake: ModelIntake;
  readonly #readBack: ReadBack;
  readonly #runner: Runner;
  readonly #loop: Loop;
  readonly #standing: SettledReader;
  readonly #look: HeaderLook;
  readonly #requests: (() => Promise<void>)[] = [];
  readonly #causes = new Set<string>();
  #isFirstRun = true;
  #isModelChanged = false;
  #isTimedOut = false;
  #cancelGate: (() => void) | null = null;
  #isStopped = false;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.state = new EngineState(ports);
    this.headers = new HeaderReader(this.state, (reading) => this.#noted(reading));
    this.drift = new DriftWatch(this.state, this.headers, () => this.wake());
    this.#readBack = new ReadBack(this.state);
    this.#runner = new Runner(this.state, this.headers, this.#readBack);
    this.#intake = new ModelIntake(this.state, () => this.wake());
    this.#standing = new SettledReader(this.state);
    this.#look = new HeaderLook(this.state, this.headers, () => {
      if (this.state.dirty.size > 0) this.wake();
    });
    this.#loop = new Loop(this.state, () => this.#step());
  }

  /** Begins. The writer lock of the network namespace must be held. Waits for sources as `startTimeoutSeconds` says. */
  start(): void {
    void this.#resume();
    const timeoutMs = this.#ports.config.startTimeoutSeconds * 1000;
    this.#cancelGate = this.#ports.clock.after(timeoutMs, () => {
      this.#isTimedOut = true;
      this.#reviewGate();
    });
    this.#reviewGate();
    this.#look.start();
  }

  /** Where foreign sets were handed over, their families must be known before anything is named. */
  async #resume(): Promise<void> {
    const { state } = this;
    if (Object.keys(this.#ports.config.sets.adopt).length > 0) {
      const headers = await this.headers.readFresh();
      if (headers === null) {
        this.#ports.clock.after(UNREADABLE_PAUSE_MS, () => {
          if (!this.#isStopped) void this.#resume();
        });
        return;
      }
      for (const [key, name] of handedOverSets(this.#ports, headers)) state.handedOver.set(key, name);
      for (const name of releasedHandOvers(this.#ports)) state.releasedHandOvers.add(name);
    }
    this.#intake.resume();
    this.wake();
  }

  /** Ends what is under way within its bounds. Changes nothing in the kernel. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelGate?.();
    this.#look.stop();
    this.#runner.stop();
    await this.#loop.stop();
    for (const request of this.#requests.splice(0)) await request();
  }

  /** One generation of the model, to be applied after those before it. */
  modelChanged(change: ModelChange): void {
    const { source, files, commit } = change.cause;
    const what =
      files.length === 0 ? source : `${source}: ${files.slice(0, 3).join(', ')}${files.length > 3 ? ' ...' : ''}`;
    this.#causes.add(commit === undefined ? what : `${what} (${commit.slice(0, 12)})`);
    this.#isModelChanged = true;
    this.#intake.take(change);
  }

  /** The states of all sources, whenever one changes. */
  sourcesChanged(sources: readonly SourceStanding[]): void {
    const { state } = this;
    state.stamp++;
    state.sources.clear();
    for (const source of sources) state.sources.set(source.name, source);
    this.#reviewGate();
    this.wake();
  }

  /** All overrides that now stand. */
  async setOverrides(overrides: readonly OverrideEntry[]): Promise<void> {
    await this.#intake.setOverrides(overrides);
  }

  /** All pins that now stand, by referrer (`pin/<group>`). */
  async setPins(pins: ReadonlyMap<string, StandingPin>): Promise<void> {
    await this.#intake.setPins(pins);
  }

  /** Holds, repair pauses or the like began or ended: every set is looked at again. O(sets). */
  reviewAll(): void {
    this.state.stamp++;
    for (const set of this.state.registry.all()) this.state.dirty.add(set);
    this.wake();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Does what is asked when its turn comes, as a run of its own; resolves when it has begun. */
  request(ask: RunRequest): Promise<StartedRun> {
    if (this.#isStopped) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      this.#requests.push(async () => {
        try {
          const started = await this.#begin(ask);
          resolve(started);
          await started.ended;
        } catch (error) {
          reject(error);
        }
      });
      this.wake();
    });
  }

  /** Runs something between two runs, when nothing else changes sets. */
  between<T>(act: () => T | Promise<T>): Promise<T> {
    if (this.#isStopped) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      this.#requests.push(async () => {
        try {
          await this.#intake.idle();
          resolve(await act());
        } catch (error) {
          reject(error);
        }
      });
      this.wake();
    });
  }

  /** Does something while the model stays as it is: what changes meanwhile is applied afterwards. */
  async still<T>(act: () => Promise<T>): Promise<T> {
    await this.#intake.idle();
    this.#intake.pause();
    try {
      return await act();
    } finally {
      this.#intake.resume();
    }
  }

  /** The plan of a request, without doing it. */
  planOf(parts: RunParts): ReturnType<Runner['plan']> {
    return this.#runner.plan(parts);
  }

  /** Whether nothing is left to do, and what did not work. */
  settled(): Settled {
    const { state } = this;
    const isBusy =
      this.#loop.isRunning ||
      this.#intake.isBusy ||
      this.drift.isBusy ||
      this.#requests.length > 0 ||
      this.#runner.isRunning;
    const isLooked = state.headers !== null && state.headers.tick === state.tick;
    return this.#standing.read(!isBusy && isLooked);
  }

  get isRunning(): boolean {
    return this.#runner.isRunning;
  }

  async #begin(ask: RunRequest): Promise<StartedRun> {
    if (this.#isStopped) throw stopping();
    return this.still(async () => {
      const { parts, cause, digest } = await ask();
      const plan = this.#runner.plan(parts);
      const now = digest === undefined ? undefined : await plan.digestInTurns(this.#ports.turn);
      if (digest === now) return this.#runner.start(plan, parts, cause);
      throw new ApiError('digest-stale', 'What would be sent is no longer what was shown.', {
        remedy: 'Look at the plan again, and confirm it as it is now.',
        details: { digest: now },
      });
    });
  }

  async #step(): Promise<StepResult> {
    await this.#intake.idle();
    const request = this.#requests.shift();
    if (request !== undefined) {
      await request();
      this.#look.soon();
      return { kind: 'again' };
    }
    if (!this.state.isOpen || this.#intake.isPaused) return { kind: 'idle' };
    const isReady = await this.#knowKernel();
    if (!isReady) return { kind: 'later', ms: UNREADABLE_PAUSE_MS };
    return this.#runAutomatically();
  }

  /** Takes the kernel's sets over, once, and reads whatever must be read. False: it could not be read. */
  async #knowKernel(): Promise<boolean> {
    const { state } = this;
    if (state.isAdopted && state.toRead.size === 0) return true;
    const headers = await this.headers.readFresh();
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

  async #runAutomatically(): Promise<StepResult> {
    const { state } = this;
    const nextPause = endPauses(state);
    const wait = this.#waitMs();
    if (wait > 0) return { kind: 'later', ms: wait };
    if (state.isWithholding && state.missingSources.length === 0) {
      if ((await this.headers.readFresh()) === null) return { kind: 'later', ms: UNREADABLE_PAUSE_MS };
      allSourcesSpoke(state);
    }
    if (state.dirty.size === 0 && dueSweeps(state).length === 0 && state.unjudged.isEmpty) return this.#rest(nextPause);
    if (needsHeaders(state) || [...state.dirty].some((set) => mayEnd(state, set))) {
      if ((await this.headers.readFresh()) === null) return { kind: 'later', ms: UNREADABLE_PAUSE_MS };
      if (this.#intake.isBusy || state.toRead.size > 0) return { kind: 'again' };
    }
    holdHandOvers(state);
    judgeRemovals(state);
    const looked = [...state.dirty];
    state.dirty.clear();
    const started = await this.still(() => this.#startAutomatically(looked));
    if (started === null) return { kind: 'again' };
    await started.ended;
    this.#look.soon();
    return { kind: 'again' };
  }

  /** Plans and begins what may be sent for some sets; null: nothing may. */
  async #startAutomatically(sets: readonly ManagedSet[]): Promise<StartedRun | null> {
    const { state } = this;
    const planned = await pendingSections(state, sets, automaticRules(state));
    const parts: RunParts = { planned, others: sweepSections(state), scope: AUTOMATIC };
    for (const set of sets) pauseUntilDue(state, set);
    const sent = new Set(planned.filter(({ section }) => section !== null).map(({ set }) => set));
    this.#leaveAsTheyAre(sets.filter((set) => !sent.has(set)));
    if (parts.others.length > 0 || sent.size > 0) {
      return this.#runner.start(this.#runner.plan(parts), parts, this.#ownCause(planned.map(({ set }) => set)));
    }
    this.#isModelChanged = false;
    return null;
  }

  /** How long nothing may be sent: the world failed a moment ago, or changes are given time to gather. */
  #waitMs(): number {
    const { environment } = this.state;
    const retry = environment === null ? 0 : environment.retryAt - this.state.now();
    const settled = this.#runner.endedAt + this.#ports.config.sets.settleMs - this.#ports.clock.monotonic();
    return Math.max(retry, settled, 0);
  }

  #rest(nextPause: number | null): StepResult {
    reviewApplyWaiting(this.state);
    this.#ports.onRest?.();
    return nextPause === null ? { kind: 'idle' } : { kind: 'later', ms: nextPause - this.state.now() };
  }

  #leaveAsTheyAre(sets: readonly ManagedSet[]): void {
    for (const set of sets) {
      forgetOldFailure(this.state, set);
      // Whoever made the difference took it back, or nobody wants the set any more.
      closeDrift(this.state, set, set.lastRun?.id ?? '');
      reviewLife(this.state, set);
      if (this.state.registry.get(set.key) === set) reviewProblems(this.state, set);
      else clearProblems(this.state, set);
    }
    if (sets.length === 0) return;
    const groups = [...new Set(sets.map(({ group }) => group))];
    const more = groups.length - 100;
    this.#ports.events.emit({ type: 'sets-changed', groups: groups.slice(0, 100), ...(more > 0 ? { more } : {}) });
  }

  #ownCause(sets: readonly ManagedSet[]): RunCause {
    const detail = [...this.#causes].slice(-5).join('; ');
    const isModel = this.#isModelChanged;
    const isFirst = this.#isFirstRun;
    this.#causes.clear();
    this.#isModelChanged = false;
    this.#isFirstRun = false;
    const cause = isFirst ? 'start' : isModel ? 'model' : sets.some(({ drift }) => drift !== null) ? 'drift' : 'retry';
    return { cause, actor: ITSELF, ...(isModel && detail !== '' ? { causeDetail: detail } : {}) };
  }

  /** Programming begins when all sources are current, or had their time. */
  #reviewGate(): void {
    const { state } = this;
    if (state.isOpen || (state.sources.size === 0 && !this.#isTimedOut)) return;
    const isCurrent = [...state.sources.values()].every(({ state: standing }) => standing === 'current');
    if (!isCurrent && !this.#isTimedOut) return;
    state.isOpen = true;
    this.#cancelGate?.();
    this.wake();
  }

  #noted(reading: HeaderReading): void {
    this.state.stamp++;
    noteUse(this.state);
    this.drift.look(reading);
  }
}

const stopping = (): ApiError => new ApiError('not-ready', 'The agent is stopping.');
