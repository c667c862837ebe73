import type { ListedSet, SetName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { Plan, Section } from '../plan/plan.ts';
import { settleEnd } from './child-end.ts';
import type { ChildSupply } from './child-supply.ts';
import type { Execution, Progress } from './execution.ts';
import type { FullSetContext } from './full-set.ts';
import { headerConflict } from './header-conflict.ts';
import type { RestoreChild } from './restore-child.ts';
import { RetryClock } from './retry-clock.ts';
import { RunState } from './run-state.ts';
import type { NextGroup } from './script-feeder.ts';

/** Headers are read outside of the children: `missing` if there is no such set, null if it cannot be read. */
export interface RestoreRunOptions extends FullSetContext {
  readonly plan: Plan;
  /** Counts up by one each run. */
  readonly run: number;
  readonly supply: ChildSupply;
  readonly clock: Clock;
  /** A number in [0, 1): spreads retries. */
  readonly random: () => number;
  /** How long a child may be silent while lines are under way. */
  readonly timeoutSeconds: number;
  /** Reads the headers of several sets; those that are missing or cannot be read are not in the answer. */
  readonly readHeaders: (sets: readonly SetName[]) => Promise<ReadonlyMap<SetName, ListedSet>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A write is at most 32 KiB; a group has at most 24 KiB and a little, so another one fits behind so much. */
const WRITE_CHARACTERS = 4 * 1024;
/** Groups that may be under way: enough to keep ipset busy, little enough to send again. */
const GROUPS_UNDER_WAY_MAX = 24;
/** So many after a failure: what a child had under way when it ended is sent again. It grows by one with each acknowledgement. */
const GROUPS_AFTER_FAILURE = 2;
/** A child without stdbuf acknowledges at its end alone, so it gets more at once. */
const GROUPS_A_BATCH_MAX = 400;
/** About the number of sets from which libipset's linear list of them costs more than a new process. */
const SETS_A_CHILD_MAX = 250;
const TERM_SECONDS = 2;
const KILL_SECONDS = 5;
/** What a child that outlives a run calls: made in the run it would keep the run's plan as long as the child lives. */
const NOTHING = (): void => undefined;

/**
 * One execution of a plan, by the algorithm of KERNEL.md section 3: groups of lines, each acknowledged; what a child
 * that ended left open is settled or sent again to the next one. Resolves always, and within bounds.
 */
export class RestoreRun {
  readonly #options: RestoreRunOptions;
  readonly #state: RunState;
  readonly #retries: RetryClock;
  #child: RestoreChild | null = null;
  #groupsMax: number;
  #wake: () => void = () => undefined;

  constructor(options: RestoreRunOptions) {
    this.#options = options;
    const isAcknowledgedAtOnce = options.supply.isLongLived;
    this.#state = new RunState({ ...options, setsAChildMax: SETS_A_CHILD_MAX, isAcknowledgedAtOnce });
    this.#retries = new RetryClock(options);
    this.#groupsMax = isAcknowledgedAtOnce ? GROUPS_UNDER_WAY_MAX : GROUPS_A_BATCH_MAX;
  }

  async execute(): Promise<Execution> {
    const state = this.#state;
    const onAbort = (): void => this.#wake();
    this.#options.signal?.addEventListener('abort', onAbort);
    try {
      while (state.environment === null && !state.isComplete) {
        if (this.#isStopped && state.underWay.length === 0) {
          state.endRun('stopped', 'The run was stopped before its end', '');
        } else {
          await this.#advance(this.#currentChild());
        }
      }
    } finally {
      this.#options.signal?.removeEventListener('abort', onAbort);
      if (this.#child !== null) this.#child.onChange = NOTHING;
    }
    if (state.environment === null) await this.#verifyEmptySets();
    else for (const [, { set }] of this.#withoutMember()) state.doubt(set);
    return state.report();
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  #currentChild(): RestoreChild {
    if (this.#child !== null) return this.#child;
    const child = this.#options.supply.take();
    child.primed.clear();
    child.onChange = () => this.#wake();
    this.#state.attempts++;
    this.#child = child;
    return child;
  }

  /** One turn: take what the child said, give it more, wait for its next word. */
  async #advance(child: RestoreChild): Promise<void> {
    const state = this.#state;
    this.#takeAcknowledgements(child);
    if (child.end !== null) {
      this.#child = null;
      this.#options.supply.retire(child.isInputEnded ? 'batch' : 'failure');
      // One that acknowledges at its end alone has a batch to end with: its groups stay as many.
      if (this.#options.supply.isLongLived) this.#groupsMax = GROUPS_AFTER_FAILURE;
      await settleEnd(state, child, child.end, { ...this.#options, retries: this.#retries });
      return;
    }
    if (state.isComplete) return;
    const stop = this.#feed(child);
    if (stop?.kind === 'change-child') {
      this.#child = null;
      this.#options.supply.retire('bulk');
    } else if (stop?.kind === 'count-temp') {
      await this.#countTemp(stop.sectionIndex);
    } else if (!(await this.#waitForNews())) {
      await this.#endSilent(child);
    }
  }

  #takeAcknowledgements(child: RestoreChild): void {
    while (child.taken < child.acknowledged) {
      child.taken++;
      if (this.#groupsMax < GROUPS_UNDER_WAY_MAX) this.#groupsMax++;
      const group = this.#state.underWay.shift();
      if (group !== undefined) this.#state.settle(group);
    }
    const { settledTo, script, outcomes } = this.#state;
    this.#options.onProgress?.({ done: settledTo, total: script.total, rejected: outcomes.rejectedCount });
  }

  /** Gives the child as many groups as may be under way. What must be done before more can be given is returned. */
  #feed(child: RestoreChild): NextGroup | null {
    let stop: NextGroup | null = null;
    while (stop === null && !child.isWriting && !child.isInputEnded) {
      const { next, text, lines } = this.#nextWrite(child);
      stop = next;
      if (text !== '') child.send(text, lines);
      else if (!this.#options.supply.isLongLived && this.#state.underWay.length > 0) child.endInput();
      else break;
    }
    return stop;
  }

  /** The groups of one write, and what comes after them if it is no group. */
  #nextWrite(child: RestoreChild): { readonly text: string; readonly lines: number; readonly next: NextGroup | null } {
    const { feeder, underWay } = this.#state;
    let text = '';
    let lines = 0;
    while (!this.#isStopped && text.length <= WRITE_CHARACTERS && underWay.length < this.#groupsMax) {
      const next = feeder.next(child, underWay.length > 0);
      if (next.kind !== 'group') return { text, lines, next };
      this.#state.start({ ...next.group, firstLine: child.lines + lines + 1 });
      text += next.group.text;
      lines += next.group.lines.length;
    }
    return { text, lines, next: null };
  }

  /** False when the child said nothing for too long. */
  #waitForNews(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(this.#options.timeoutSeconds * 1000, () => resolve(false));
      this.#wake = () => {
        cancel();
        resolve(true);
      };
    });
  }

  /** The kill ladder for a child that hangs. What it had under way is unknown. */
  async #endSilent(child: RestoreChild): Promise<void> {
    const { clock, supply, timeoutSeconds } = this.#options;
    this.#child = null;
    child.onChange = NOTHING;
    supply.forget(child);
    child.kill('SIGTERM');
    if (!(await within(clock, TERM_SECONDS, child.ended))) child.kill('SIGKILL');
    const isGone = await within(clock, KILL_SECONDS, child.ended);
    const rest = isGone ? 'it was stopped' : 'and it could not be killed: it may hang in the kernel';
    this.#state.endRun(
      'timed-out',
      `ipset said nothing for ${timeoutSeconds} seconds; ${rest}`,
      child.end?.stderr ?? '',
    );
  }

  /** Never a swap that would take members away: the kernel counts a temporary set that more than one child has filled. */
  async #countTemp(sectionIndex: number): Promise<void> {
    const state = this.#state;
    const { temp, adds } = state.script.sections[sectionIndex] ?? { temp: null, adds: [] };
    const seen = temp === null ? null : await this.#options.readHeader(temp);
    const start = state.script.startOf(sectionIndex);
    const wanted = adds.length - state.outcomes.rejectedBetween(start, state.script.endOf(sectionIndex));
    const entries = seen === null || seen === 'missing' ? null : seen.entries;
    if (entries === wanted || (entries === null && seen !== null && seen !== 'missing')) {
      state.feeder.countedWhole(sectionIndex);
    } else if (!state.restartSection(sectionIndex)) {
      const message = `The temporary set holds ${entries ?? 'nothing that could be read'} instead of ${wanted} members: not swapped`;
      state.reject(state.swapOf(sectionIndex), { code: 'unknown', message, raw: '' });
    }
  }

  /**
   * `create -exist` of a set that exists with another family returns 0 and changes nothing (KERNEL.md section 1). The
   * first member shows it by an error; a set that got none is looked at, or in doubt where the run broke off.
   */
  async #verifyEmptySets(): Promise<void> {
    const empty = this.#withoutMember();
    if (empty.length === 0) return;
    const seen = await this.#options.readHeaders(empty.map(([, { set }]) => set));
    for (const [index, section] of empty) {
      const conflict = headerConflict(section.header, seen.get(section.set)?.header);
      if (conflict !== null && this.#state.outcomes.isOpen(this.#state.createOf(index).line))
        this.#state.rejectSection(index, conflict);
    }
  }

  /** Sections whose create ran, and no member after it: with their index. */
  #withoutMember(): readonly (readonly [number, Section])[] {
    return [...this.#state.script.sections.entries()].filter(([index, section]) => this.#gotNoMember(index, section));
  }

  #gotNoMember(index: number, { how, header }: Section): boolean {
    const { script, outcomes, isComplete, settledTo } = this.#state;
    if ((how !== 'create' && how !== 'delta') || header === null || header.family === null) return false;
    const first = this.#state.createOf(index).line + 1;
    const ran = Math.min(script.endOf(index), isComplete ? script.total : settledTo) - first;
    if (ran < 0 || ran > outcomes.rejectedCount) return false;
    return ran === 0 || outcomes.rejectedBetween(first, first + ran) >= ran;
  }
}

/** Whether `settled` comes within so many seconds. */
function within(clock: Clock, seconds: number, settled: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(seconds * 1000, () => resolve(false));
    void settled.then(() => {
      cancel();
      resolve(true);
    });
  });
}
