import { ApiError } from '@setkeeper/api';
import type { OverrideEntry } from '../membership/membership.ts';
import type { ModelChange } from '../model/change.ts';
import { AutomaticRuns, UNREADABLE_PAUSE_MS } from './automatic-runs.ts';
import { DriftWatch } from './drift-watch.ts';
import { EngineState, type HeaderReading, type StandingPin } from './engine-state.ts';
import { handedOverSets, releasedHandOvers } from './hand-over.ts';
import { HeaderLook } from './header-look.ts';
import { HeaderReader } from './kernel-headers.ts';
import { Loop, type StepResult } from './loop.ts';
import { ModelIntake } from './model-intake.ts';
import { noteUse } from './note-use.ts';
import type { EnginePorts, SourceStanding } from './ports.ts';
import { ReadBack } from './read-back.ts';
import type { RunCause } from './run-record.ts';
import { Runner, type RunParts, type StartedRun } from './runner.ts';
import { assertReady } from './selected-sets.ts';
import { type Settled, SettledReader } from './settled.ts';

/** What an operator asks to be done: made of what is true when its turn comes, refused by throwing ApiError. */
export type RunRequest = () => Promise<{
  readonly parts: RunParts;
  readonly cause: RunCause;
  readonly digest?: string;
}>;

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
  readonly #automatic: AutomaticRuns;
  readonly #runner: Runner;
  readonly #loop: Loop;
  readonly #standing: SettledReader;
  readonly #look: HeaderLook;
  readonly #requests: (() => Promise<void>)[] = [];
  #isTimedOut = false;
  #cancelGate: (() => void) | null = null;
  #isStopped = false;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.state = new EngineState(ports);
    this.headers = new HeaderReader(this.state, (reading) => this.#noted(reading));
    this.drift = new DriftWatch(this.state, this.headers, () => this.wake());
    const readBack = new ReadBack(this.state);
    this.#runner = new Runner(this.state, this.headers, readBack);
    this.#intake = new ModelIntake(this.state, () => this.wake());
    this.#automatic = new AutomaticRuns({
      state: this.state,
      headers: this.headers,
      drift: this.drift,
      readBack,
      runner: this.#runner,
      intake: this.#intake,
    });
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
    this.#automatic.modelChanged(change.cause);
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
  still<T>(act: () => Promise<T>): Promise<T> {
    // Nothing is sent meanwhile: the loop may have found nothing to do only because of that.
    return this.#intake.still(act).finally(() => this.wake());
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
      assertReady(this.state);
      // An operator's act must not carry along what nobody judged yet.
      if (!(await this.#automatic.judge())) throw unreadable();
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
    const { tick } = this.state;
    const result = await this.#automatic.step();
    if (tick !== this.state.tick) this.#look.soon();
    return result;
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

const unreadable = (): ApiError =>
  new ApiError(
    'not-ready',
    "The kernel's sets cannot be read: what the last changes would take away cannot be judged.",
    {
      remedy: 'Nothing was sent. "setkeeper doctor" names what is missing; then try again.',
    },
  );

const stopping = (): ApiError => new ApiError('not-ready', 'The agent is stopping.');
