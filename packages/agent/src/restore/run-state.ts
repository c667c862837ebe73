import type { RestoreFailure, SetName } from '@setkeeper/ipset';
import type { Plan } from '../plan/plan.ts';
import type { Execution } from './execution.ts';
import type { GroupUnderWay } from './line-group.ts';
import { Outcomes, type Rejection } from './outcomes.ts';
import { ScriptFeeder } from './script-feeder.ts';
import { type ScriptLine, ScriptLines, targetOf } from './script-lines.ts';

type Environment = NonNullable<Execution['environment']>;

const RESTARTS_A_SECTION_MAX = 3;
const MENDS_A_SECTION_MAX = 3;

/**
 * What is known of a plan under way. Invariant: every line before `settledTo` has its outcome; lines under way are the
 * ones between it and the feeder's cursor; nothing behind the cursor has reached ipset, but for what `furthest` says of
 * earlier children.
 */
export class RunState {
  readonly script: ScriptLines;
  readonly outcomes = new Outcomes();
  readonly feeder: ScriptFeeder;
  /** Groups given to the child that it has not acknowledged, in order. */
  underWay: GroupUnderWay[] = [];
  environment: Environment | null = null;
  attempts = 0;
  readonly #unsure = new Set<SetName>();
  readonly #leftTemporary = new Set<SetName>();
  readonly #restarts = new Map<number, number>();
  readonly #mends = new Map<number, number>();
  readonly #full = new Map<number, number>();
  #endsWithoutProgress = 0;
  #settledTo = 0;
  #furthest = 0;

  constructor(options: {
    readonly plan: Plan;
    readonly run: number;
    readonly setsAChildMax: number;
    readonly isAcknowledgedAtOnce: boolean;
  }) {
    this.script = new ScriptLines(options.plan);
    this.feeder = new ScriptFeeder({ ...options, script: this.script, outcomes: this.outcomes });
  }

  get settledTo(): number {
    return this.#settledTo;
  }

  get isComplete(): boolean {
    return this.underWay.length === 0 && this.feeder.isFinished;
  }

  /** Grows with every line that got its outcome. */
  get progressMark(): number {
    return this.#settledTo + this.outcomes.rejectedCount;
  }

  /** A group goes to the child. */
  start(group: GroupUnderWay): void {
    this.underWay.push(group);
    this.#furthest = Math.max(this.#furthest, group.to);
  }

  /** The oldest group is acknowledged. */
  settle(group: GroupUnderWay): void {
    this.#settledTo = Math.max(this.#settledTo, group.to);
  }

  /** Everything before `line` has its outcome; from there on lines are sent again, to another child. */
  goOnFrom(line: number): void {
    this.underWay = [];
    this.#settledTo = line;
    this.feeder.cursor = line;
  }

  /** A line is rejected, and what cannot be without it is skipped. */
  reject(line: ScriptLine, rejection: Rejection | RestoreFailure): void {
    this.outcomes.reject(line.line, rejection);
    const end = this.script.endOf(line.sectionIndex);
    switch (line.step) {
      case 'recreate':
      case 'create':
      case 'create-temp':
        this.outcomes.skip(line.line + 1, end, line.line);
        break;
      case 'create-main':
        this.outcomes.skip(line.line + 1, line.line + 2, line.line);
        break;
      case 'destroy-temp':
        this.#leftTemporary.add(targetOf(line.section, line.step));
        break;
      case 'add':
      case 'del':
      case 'fill':
      case 'swap':
      case 'destroy':
        break;
    }
  }

  /**
   * The section's own create is rejected although it, and perhaps lines behind it, went well: the set is not what it was
   * created as. What was applied stays so (and is gone with the set); the rest is skipped.
   */
  rejectSection(sectionIndex: number, rejection: Rejection | RestoreFailure): void {
    const create = this.createOf(sectionIndex);
    const end = this.script.endOf(sectionIndex);
    const first = create.line + 1;
    const ranTo = Math.min(Math.max(this.#settledTo, first), end);
    const isNothingApplied = this.outcomes.rejectedBetween(first, ranTo) === ranTo - first;
    this.outcomes.skip(isNothingApplied ? first : ranTo, end, create.line);
    this.outcomes.reject(create.line, rejection);
    this.doubt(create.section.set);
    if (create.section.temp !== null) this.#leftTemporary.add(create.section.temp);
  }

  /** Runs a section again from its first line; false when that was done often enough. Nothing may be under way. */
  restartSection(sectionIndex: number): boolean {
    const count = (this.#restarts.get(sectionIndex) ?? 0) + 1;
    this.#restarts.set(sectionIndex, count);
    if (count > RESTARTS_A_SECTION_MAX) return false;
    this.repeatSection(sectionIndex);
    return true;
  }

  /** Whether a section's main may be created once more after somebody destroyed it. */
  mayMend(sectionIndex: number): boolean {
    const count = (this.#mends.get(sectionIndex) ?? 0) + 1;
    this.#mends.set(sectionIndex, count);
    return count <= MENDS_A_SECTION_MAX;
  }

  /** Counts the adds of a section that a full set refused. */
  noteFull(sectionIndex: number): number {
    const count = (this.#full.get(sectionIndex) ?? 0) + 1;
    this.#full.set(sectionIndex, count);
    return count;
  }

  /** Counts the ends of children in a row that settled nothing. */
  noteEnd(hadProgress: boolean): number {
    this.#endsWithoutProgress = hadProgress ? 0 : this.#endsWithoutProgress + 1;
    return this.#endsWithoutProgress;
  }

  /** As `restartSection`, without a limit: for a child that was killed, which its own limit ends. */
  repeatSection(sectionIndex: number): void {
    this.feeder.restartSection(sectionIndex);
    this.goOnFrom(Math.min(this.#settledTo, this.script.startOf(sectionIndex)));
  }

  /** The set has to be read back before anything is believed of it. */
  doubt(set: SetName): void {
    this.#unsure.add(set);
  }

  /** A section's create of its set: of the temporary one for a rewrite. */
  createOf(sectionIndex: number): ScriptLine {
    const start = this.script.startOf(sectionIndex);
    const first = this.script.at(start);
    return first.step === 'recreate' ? this.script.at(start + 1) : first;
  }

  swapOf(sectionIndex: number): ScriptLine {
    return this.script.at(this.script.endOf(sectionIndex) - 2);
  }

  endRun(code: Environment['code'], message: string, raw: string): void {
    this.environment = { code, message, raw };
  }

  report(): Execution {
    const ranTo = this.isComplete ? this.script.total : this.#settledTo;
    if (!this.isComplete) this.#doubtWhatIsOpen();
    return {
      ...this.outcomes.settle(this.script.total, ranTo),
      attempts: this.attempts,
      ...(this.environment === null ? {} : { environment: this.environment }),
      unsure: [...this.#unsure],
      leftTemporary: [...this.#leftTemporary],
    };
  }

  /** Lines that were sent and have no outcome may or may not be in the kernel, and temporary sets may be left. */
  #doubtWhatIsOpen(): void {
    const last = Math.min(this.#furthest, this.script.total);
    for (let line = this.#settledTo; line < last; line++) {
      const { section, step } = this.script.at(line);
      if (step !== 'fill' && step !== 'create-temp' && step !== 'destroy-temp') this.doubt(section.set);
    }
    const first =
      this.#settledTo < this.script.total ? this.script.at(this.#settledTo).sectionIndex : this.script.sections.length;
    for (let index = first; index < this.script.sections.length; index++) {
      const temp = this.script.sections[index]?.temp ?? null;
      if (this.script.startOf(index) >= last) break;
      if (temp !== null) this.#leftTemporary.add(temp);
    }
  }
}
