import { headerDifferences, type ListedSet, parseList, type SetName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { Plan } from '../plan/plan.ts';
import { settleEnd } from './child-end.ts';
import type { ChildSupply } from './child-supply.ts';
import type { Execution, Progress } from './execution.ts';
import type { GroupUnderWay, Service } from './line-group.ts';
import type { RestoreChild } from './restore-child.ts';
import { RetryClock } from './retry-clock.ts';
import { RunState } from './run-state.ts';

export interface RestoreRunOptions {
  readonly plan: Plan;
  /** Counts up by one each run. */
  readonly run: number;
  readonly supply: ChildSupply;
  readonly clock: Clock;
  /** A number in [0, 1): spreads retries. */
  readonly random: () => number;
  /** How long a child may be silent while lines are under way. */
  readonly timeoutSeconds: number;
  /** Reads one header outside of the child: `missing` if there is no such set, null if it cannot be read. */
  readonly readHeader: (set: SetName) => Promise<ListedSet | 'missing' | null>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A write is at most 32 KiB; a group has at most 24 KiB and a little, so another one fits behind so much. */
const WRITE_CHARACTERS = 4 * 1024;
/** Groups that may be under way: enough to keep ipset busy, little enough to send again. */
const GROUPS_UNDER_WAY_MAX = 24;
/** A child without stdbuf acknowledges at its end alone, so it gets more at once. */
const GROUPS_A_BATCH_MAX = 400;
/** About the number of sets from which libipset's linear list of them costs more than a new process. */
const SETS_A_CHILD_MAX = 250;
const TERM_SECONDS = 2;
const KILL_SECONDS = 5;

/**
 * One execution of a plan, by the algorithm of KERNEL.md section 3: groups of lines, each acknowledged; what a child
 * that ended left open is settled or sent again to the next one. Resolves always, and within bounds.
 */
export class RestoreRun {
  readonly #options: RestoreRunOptions;
  readonly #state: RunState;
  readonly #retries: RetryClock;
  #child: RestoreChild | null = null;
  #wake: () => void = () => undefined;

  constructor(options: RestoreRunOptions) {
    this.#options = options;
    this.#state = new RunState(options.plan, options.run, SETS_A_CHILD_MAX);
    this.#retries = new RetryClock(options);
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
      if (this.#child !== null) this.#child.onChange = () => undefined;
    }
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
      await settleEnd(state, child, child.end, { ...this.#options, retries: this.#retries });
      return;
    }
    if (state.isComplete) return;
    if (this.#feed(child) === 'change-child') {
      this.#child = null;
      this.#options.supply.retire('bulk');
    } else if (!(await this.#waitForNews())) {
      await this.#endSilent(child);
    }
  }

  #takeAcknowledgements(child: RestoreChild): void {
    while (child.taken < child.acknowledged) {
      const report = child.takeReport(child.taken);
      child.taken++;
      const group = this.#state.underWay.shift();
      if (group === undefined) continue;
      this.#state.settle(group);
      this.#takeReport(group, report);
    }
    const { settledTo, script, outcomes } = this.#state;
    this.#options.onProgress?.({ done: settledTo, total: script.total, rejected: outcomes.rejectedCount });
  }

  /** Gives the child as many groups as may be under way, in one write. */
  #feed(child: RestoreChild): 'fed' | 'change-child' {
    if (child.isWriting || child.isInputEnded) return 'fed';
    const { supply } = this.#options;
    const groupsMax = supply.isLongLived ? GROUPS_UNDER_WAY_MAX : GROUPS_A_BATCH_MAX;
    const { feeder, underWay } = this.#state;
    let text = '';
    let lines = 0;
    let isMoreToCome = true;
    while (!this.#isStopped && isMoreToCome && text.length <= WRITE_CHARACTERS && underWay.length < groupsMax) {
      const next = feeder.next(child, underWay.length > 0);
      if (next.kind === 'change-child') return 'change-child';
      isMoreToCome = next.kind === 'group';
      if (next.kind !== 'group') break;
      this.#state.start({ ...next.group, firstLine: child.lines + lines + 1 });
      text += next.group.text;
      lines += next.group.lines.length;
    }
    if (text !== '') child.send(text, lines);
    else if (!supply.isLongLived && underWay.length > 0) child.endInput();
    return 'fed';
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
    child.onChange = () => undefined;
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

  #takeReport(group: GroupUnderWay, report: string): void {
    const checks = group.lines.filter(
      (line): line is Extract<Service, { sectionIndex: number }> => typeof line === 'object' && 'sectionIndex' in line,
    );
    if (report === '' || checks.length === 0) return;
    const seen = new Map(parseList(Buffer.from(report, 'latin1')).sets.map((set) => [set.header.name, set]));
    for (const check of checks) this.#check(check, seen, report);
  }

  #check(
    { kind, sectionIndex }: Extract<Service, { sectionIndex: number }>,
    seen: ReadonlyMap<SetName, ListedSet>,
    report: string,
  ): void {
    const section = this.#state.script.sections[sectionIndex];
    if (section === undefined || section.header === null) return;
    if (kind === 'check-main') {
      const header = seen.get(section.set)?.header;
      const difference =
        header === undefined
          ? undefined
          : headerDifferences(section.header, header).find(({ repair }) => repair === 'recreate');
      if (difference !== undefined) {
        const message = `Set cannot be created: set with the same name already exists, with ${difference.field} ${difference.seen} instead of ${difference.wanted}`;
        this.#state.rejectSection(sectionIndex, { code: 'set-exists', message, raw: '' });
      }
    } else if (kind === 'check-temp' && section.temp !== null) {
      const entries = seen.get(section.temp)?.entries ?? null;
      const start = this.#state.script.startOf(sectionIndex);
      const wanted =
        section.adds.length - this.#state.outcomes.rejectedBetween(start, this.#state.script.endOf(sectionIndex));
      if (entries === null || entries === wanted) {
        this.#state.feeder.countedWhole(sectionIndex);
      } else if (!this.#state.restartSection(sectionIndex)) {
        // Never a swap that would take members away: somebody else keeps changing our temporary set.
        const message = `The temporary set holds ${entries} members instead of ${wanted}: not swapped`;
        this.#state.reject(this.#state.swapOf(sectionIndex), { code: 'unknown', message, raw: report });
      }
    }
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
