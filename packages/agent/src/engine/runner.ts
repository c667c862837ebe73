import type { Run } from '@setkeeper/api';
import type { SetName } from '@setkeeper/ipset';
import { type MadePlan, makePlan } from '../plan/make-plan.ts';
import type { Digest, Section } from '../plan/plan.ts';
import { PlanIndex, renderPlan } from '../plan/plan-lines.ts';
import { EVERYTHING, type PlanScope } from '../plan/plan-scope.ts';
import { sectionLines } from '../plan/section-operations.ts';
import type { Execution } from '../restore/execution.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { backOffMs, refusalAfter } from '../sets/parking.ts';
import { type SectionException, SectionExceptions } from '../sets/section-exceptions.ts';
import { enterResult, type RunStamp, type SectionInFlight, takeInFlight } from '../sets/section-result.ts';
import { closeDrift } from './drift-record.ts';
import type { EngineState } from './engine-state.ts';
import type { HeaderReader } from './kernel-headers.ts';
import { reviewLife } from './life-review.ts';
import { endEnvironmentPause } from './pauses.ts';
import type { PlannedSet } from './pending-sections.ts';
import type { ReadBack, ReadBackFindings } from './read-back.ts';
import { beginningRun, endedRun, type RunCause, runSections } from './run-record.ts';
import { clearProblems, reviewProblems } from './set-problems.ts';
import { wakeLists } from './wake-lists.ts';

/** What a run is made of. */
export interface RunParts {
  readonly planned: readonly PlannedSet[];
  /** Sections of sets that no managed set owns: leftovers, temporary sets. */
  readonly others: readonly Section[];
  readonly scope: PlanScope;
}

/** A run that has begun. */
export interface StartedRun {
  readonly run: Run;
  readonly ended: Promise<Run>;
}

/** From so many lines on the digest of an automatic run is made when it has ended. */
const DIGEST_LINES_MAX = 5_000;
/** Sections whose outcomes are entered in one turn of the event loop. */
const SECTIONS_A_TURN = 200;
const PROGRESS_EVERY_MS = 100;

/** Executes plans, one at a time: records the run, enters its outcomes, and reads back what a failure touched. */
export class Runner {
  readonly #state: EngineState;
  readonly #headers: HeaderReader;
  readonly #readBack: ReadBack;
  readonly #stop = new AbortController();
  #runs = 0;
  /** When the last run ended, in the clock's monotonic milliseconds. */
  endedAt = Number.NEGATIVE_INFINITY;
  isRunning = false;

  constructor(state: EngineState, headers: HeaderReader, readBack: ReadBack) {
    this.#state = state;
    this.#headers = headers;
    this.#readBack = readBack;
  }

  /** Ends the run that is under way as soon as what was sent is acknowledged. */
  stop(): void {
    this.#stop.abort();
  }

  plan(parts: RunParts): MadePlan {
    const sections = [...parts.planned.flatMap(({ section }) => (section === null ? [] : [section])), ...parts.others];
    return makePlan({
      sections,
      modelRevision: this.#state.modelRevision,
      scope: parts.scope,
      render: this.#state.ports.render,
      isList: ({ set, header }) => header?.type === 'list:set' || this.#isList(set),
    });
  }

  /** Begins to execute a plan that was made in this turn of the event loop. */
  start(plan: MadePlan, parts: RunParts, cause: RunCause): StartedRun {
    const { ports } = this.#state;
    const digest: Digest | '' = plan.lines <= DIGEST_LINES_MAX ? plan.digest : (plan.digestIfMade ?? '');
    const run = beginningRun(this.#newId(), this.#state.now(), plan, cause, digest);
    const inFlight = new Map<SetName, SectionInFlight>();
    for (const { set, section } of parts.planned) {
      if (section === null) continue;
      inFlight.set(set.name, takeInFlight(set, section));
      set.lastRun = { id: run.id, result: 'running' };
      if (section.how === 'destroy') set.life = { phase: 'stopping', since: this.#state.now() };
    }
    this.#state.tick++;
    this.#state.stamp++;
    ports.store.runs.begin(run, renderPlan(plan, ports.render));
    ports.events.emit({ type: 'run-started', run: run.id, ...groupsField(plan.sections) });
    this.isRunning = true;
    const ended = this.#execute(plan, run, inFlight).finally(() => {
      this.isRunning = false;
    });
    return { run, ended };
  }

  async #execute(plan: MadePlan, run: Run, inFlight: ReadonlyMap<SetName, SectionInFlight>): Promise<Run> {
    const { ports } = this.#state;
    const startedAt = ports.clock.monotonic();
    const execution = plan.lines === 0 ? NOTHING : await this.#send(plan, run.id);
    const durationMs = ports.clock.monotonic() - startedAt;
    this.#state.tick++;
    await this.#enter(plan, execution, inFlight, run.id);
    this.endedAt = ports.clock.monotonic();
    const findings = await this.#lookAgain(execution, inFlight);
    const ended = endedRun(run, execution, { at: this.#state.now(), durationMs });
    ports.store.runs.finish(ended, execution.exceptions, runSections(plan.sections), findings);
    this.#state.stamp++;
    for (const { set } of inFlight.values()) this.#review(set, ended);
    this.#tell(ended, plan);
    if (ended.digest === '' && !this.#stop.signal.aborted) void this.#digestLater(ended, plan);
    return ended;
  }

  /** The digest of a large run that nobody confirmed is for the record alone: it keeps nothing waiting. */
  async #digestLater(run: Run, plan: MadePlan): Promise<void> {
    const { ports } = this.#state;
    try {
      const digest = await plan.digestInTurns(ports.turn);
      if (!this.#stop.signal.aborted) ports.store.runs.update({ ...run, digest });
    } catch (error) {
      ports.onBug?.(error);
    }
  }

  async #send(plan: MadePlan, run: string): Promise<Execution> {
    const { executor, events, clock } = this.#state.ports;
    let toldAt = clock.monotonic();
    try {
      return await executor.execute(plan, {
        signal: this.#stop.signal,
        onProgress: (progress) => {
          if (clock.monotonic() - toldAt < PROGRESS_EVERY_MS) return;
          toldAt = clock.monotonic();
          events.emit({ type: 'run-progress', run, progress });
        },
      });
    } catch (error) {
      this.#state.ports.onBug?.(error);
      return failedWhole(plan, error);
    }
  }

  async #enter(
    plan: MadePlan,
    execution: Execution,
    inFlight: ReadonlyMap<SetName, SectionInFlight>,
    run: string,
  ): Promise<void> {
    this.#state.stamp++;
    const exceptions = bySection(plan, execution);
    const stamp = { run, at: this.#state.now() };
    const unsure = new Set(execution.unsure);
    const arrived = new Set<SetName>();
    let entered = 0;
    for (const [index, section] of plan.sections.entries()) {
      const found = inFlight.get(section.set);
      if (found === undefined) {
        this.#enterSweep(section.set, exceptions.get(index)?.at(0), stamp);
        continue;
      }
      const { set } = found;
      set.writtenTick = this.#state.tick;
      enterResult(found, exceptions.get(index) ?? NO_EXCEPTIONS, stamp);
      if (unsure.has(set.name)) {
        doubt(found);
        this.#state.toRead.add(set);
      } else if (section.how === 'create' && set.ledger.content.kind === 'known') arrived.add(set.name);
      if (hasMore(set)) this.#state.dirty.add(set);
      if (++entered % SECTIONS_A_TURN === 0) await this.#state.ports.turn();
    }
    wakeLists(this.#state, arrived);
    for (const name of execution.leftTemporary) this.#state.toSweep.set(name, null);
    this.#noteEnvironment(execution);
  }

  /** A temporary set that could not be destroyed (somebody dumps it) is tried again after a pause. */
  #enterSweep(name: SetName, exception: SectionException | undefined, stamp: RunStamp): void {
    const { toSweep } = this.#state;
    if (exception === undefined) toSweep.delete(name);
    else if (exception.outcome === 'rejected' && toSweep.has(name)) {
      const { code, message } = exception;
      toSweep.set(name, refusalAfter(toSweep.get(name) ?? undefined, { op: 'destroy', code, message, ...stamp }));
    }
  }

  /** After any failure the truth is read, not assumed. */
  async #lookAgain(execution: Execution, inFlight: ReadonlyMap<SetName, SectionInFlight>): Promise<ReadBackFindings> {
    const isClean = execution.exceptions.length === 0 && execution.unsure.length === 0;
    if (isClean && execution.environment === undefined) return new Map();
    const sets = [...inFlight.values()].map(({ set }) => set);
    if (sets.length === 0) return new Map();
    for (const set of sets) this.#state.toRead.add(set);
    const headers = await this.#headers.readFresh();
    return headers === null ? new Map() : this.#readBack.read(sets, headers);
  }

  #noteEnvironment({ environment }: Execution): void {
    const { problems } = this.#state.ports;
    if (environment === undefined || environment.code === 'stopped') {
      endEnvironmentPause(this.#state);
      return;
    }
    const attempts = (this.#state.environment?.attempts ?? 0) + 1;
    this.#state.environment = { attempts, retryAt: this.#state.now() + backOffMs(attempts) };
    problems.raise({
      code: 'environment',
      subject: 'ipset restore',
      message: `Nothing can be programmed: ${environment.message}`,
      consequence: 'The kernel keeps what it has.',
      remedy: 'Run "setkeeper doctor"; it names what is missing. It is tried again by itself.',
    });
  }

  #review(set: ManagedSet, run: Run): void {
    const { failure } = set;
    const isFailed = failure?.run === run.id || run.phase === 'failed';
    const isPartly = [...set.ledger.parking.entries()].some(([, refusal]) => refusal.run === run.id);
    set.lastRun = { id: run.id, result: isFailed ? 'failed' : isPartly ? 'partly' : 'succeeded' };
    reviewLife(this.#state, set, !isFailed);
    closeDrift(this.#state, set, run.id);
    if (this.#state.registry.get(set.key) === set) reviewProblems(this.#state, set);
    else clearProblems(this.#state, set);
  }

  #tell(run: Run, plan: MadePlan): void {
    const { events, store } = this.#state.ports;
    const groups = groupsField(plan.sections);
    events.emit({ type: 'run-finished', run: run.id, message: run.phase, ...groups });
    if (plan.lines === 0) return;
    events.emit({ type: 'sets-changed', ...groups });
    store.changes.append({
      at: run.finishedAt ?? run.at,
      kind: 'run',
      actor: run.actor,
      subject: run.id,
      text: runWords(run),
      groups: groups.groups ?? [],
      run: run.id,
      link: `/run/?id=${run.id}`,
    });
  }

  #isList(name: SetName): boolean {
    const owner = this.#state.registry.owner(name);
    if (owner !== undefined) return owner.family === null;
    return this.#state.headers?.byName.get(name)?.header.type === 'list:set';
  }

  #newId(): string {
    this.#runs++;
    return `${this.#state.ports.unique}-${this.#runs}`;
  }
}

/** The run broke off: what a delta sent may or may not be in the kernel, and of what another section left nothing is known. */
function doubt({ set, section }: SectionInFlight): void {
  const cause = 'the run that wrote it did not end as planned';
  if (section.how === 'delta') set.ledger.becomeDoubtful(cause, new Set([...section.dels, ...section.adds]));
  else set.ledger.becomeUnknown(cause);
}

/** Whether something may be left to send for a set after a run. */
function hasMore(set: ManagedSet): boolean {
  const { content } = set.ledger;
  if (content.kind !== 'known' || set.remake !== null || set.failure !== null || !set.isWanted) return true;
  return content.missing.size + content.extra.size > 0;
}

/** The scope of runs that nobody asked for. */
export const AUTOMATIC: PlanScope = EVERYTHING;

const NO_EXCEPTIONS = new SectionExceptions();

const NOTHING: Execution = {
  exceptions: [],
  counts: { applied: 0, rejected: 0, skipped: 0, notRun: 0 },
  attempts: 0,
  unsure: [],
  leftTemporary: [],
};

/** An executor that threw says nothing of any set. */
function failedWhole(plan: MadePlan, error: unknown): Execution {
  const message = error instanceof Error ? error.message : String(error);
  return {
    exceptions: [],
    counts: { applied: 0, rejected: 0, skipped: 0, notRun: plan.lines },
    attempts: 1,
    environment: { code: 'unknown', message, raw: '' },
    unsure: plan.sections.map(({ set }) => set),
    leftTemporary: plan.sections.flatMap(({ temp }) => (temp === null ? [] : [temp])),
  };
}

function bySection(plan: MadePlan, execution: Execution): ReadonlyMap<number, SectionExceptions> {
  const found = new Map<number, SectionException[]>();
  if (execution.exceptions.length === 0) return new Map();
  const index = new PlanIndex(plan);
  for (const { line, lastLine = line, outcome, code, message } of execution.exceptions) {
    for (let from = line; from <= lastLine; ) {
      const at = index.at(from);
      if (at === undefined) break;
      const first = at.index;
      const last = Math.min(first + lastLine - from, sectionLines(at.section) - 1);
      const ofSection = found.get(at.sectionIndex) ?? [];
      ofSection.push({ first, last, outcome, code: code ?? 'unknown', message: message ?? outcome });
      found.set(at.sectionIndex, ofSection);
      from += last - first + 1;
    }
  }
  return new Map([...found].map(([section, ranges]) => [section, new SectionExceptions(ranges)]));
}

const GROUPS_MAX = 100;

function groupsField(sections: readonly Section[]): { readonly groups?: string[]; readonly more?: number } {
  const groups = [...new Set(sections.flatMap(({ group }) => (group === null ? [] : [group as string])))];
  if (groups.length === 0) return {};
  const more = groups.length - GROUPS_MAX;
  return { groups: groups.slice(0, GROUPS_MAX), ...(more > 0 ? { more } : {}) };
}

function runWords({ operations, sets, phase }: Run): string {
  const bad = operations.rejected + operations.skipped + operations.notRun;
  const failed =
    bad === 0 ? '' : `, ${operations.rejected} rejected, ${operations.skipped + operations.notRun} not done`;
  return `${phase}: ${operations.applied} operations on ${sets} ${sets === 1 ? 'set' : 'sets'} applied${failed}`;
}
