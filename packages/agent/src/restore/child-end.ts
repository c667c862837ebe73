import { classifyFailure, type RestoreFailure } from '@setkeeper/ipset';
import type { ChildSupply } from './child-supply.ts';
import { verdictOn } from './failure-verdict.ts';
import { type FullSetContext, settleFullSet } from './full-set.ts';
import { headerConflict } from './header-conflict.ts';
import type { GroupUnderWay, Service } from './line-group.ts';
import type { RestoreChild, RestoreChildEnd } from './restore-child.ts';
import type { RetryClock } from './retry-clock.ts';
import type { RunState } from './run-state.ts';
import { commandOf, type ScriptLine, targetOf } from './script-lines.ts';

/** What the end of a child is settled with, beside the state of the run. */
export interface EndContext extends FullSetContext {
  readonly run: number;
  readonly supply: ChildSupply;
  readonly retries: RetryClock;
  readonly signal?: AbortSignal;
}

/** A child that ends again and again without settling a line ends the run: there is no other budget of tries. */
const ENDS_WITHOUT_PROGRESS_MAX = 8;

/**
 * Settles what a child that ended had under way: what was applied, which line is to blame, and from where to go on. By
 * KERNEL.md section 3: a numbered error rejects its line, and the run of same-set, same-command lines before it is sent
 * again where it may be lost; an unnumbered one sends its group again with an acknowledgement after every line; an
 * environment error or a signal rejects nothing.
 */
export async function settleEnd(
  state: RunState,
  child: RestoreChild,
  end: RestoreChildEnd,
  context: EndContext,
): Promise<void> {
  const open = state.underWay;
  const before = state.progressMark;
  if (end.spawnError !== undefined || CANNOT_RUN.has(end.exitCode ?? 0)) {
    state.goOnFrom(state.settledTo);
    const why = end.spawnError ?? end.stderr.trim();
    if (end.signal === null) state.endRun('spawn-failed', `ipset could not be started: ${why}`, end.stderr);
    else state.endRun('killed', `ipset was ended with the launcher: ${why}`, end.stderr);
    return;
  }
  const isDone = child.isInputEnded && end.exitCode === 0 && open.length === 0;
  if (isDone) return;
  let hasOwnLimit = false;
  if (end.signal !== null || end.exitCode === 0) interrupted(state, open);
  else hasOwnLimit = await failed(state, child, end, open, context);
  if (!hasOwnLimit) countProgress(state, before, end);
}

/** 126 and 127: stdbuf or setpriv could not run the program they were given. */
const CANNOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** Killed, or ended early with status 0: of the groups under way any part may be in the kernel, and all of them run again. */
function interrupted(state: RunState, open: readonly GroupUnderWay[]): void {
  state.goOnFrom(open[0]?.from ?? state.settledTo);
  // A swap is the one line that must not run twice: its section runs again from its first line.
  for (const { lines } of open) {
    for (const line of lines) {
      if (typeof line !== 'number') continue;
      const { step, sectionIndex } = state.script.at(line);
      if (step === 'swap') {
        state.repeatSection(sectionIndex);
        return;
      }
    }
  }
}

/** True if what is to be done next has a limit of its own. */
async function failed(
  state: RunState,
  child: RestoreChild,
  end: RestoreChildEnd,
  open: readonly GroupUnderWay[],
  context: EndContext,
): Promise<boolean> {
  const unnumbered = classifyFailure(end);
  const place = placeOf(open, unnumbered.line);
  const blamed = place?.line;
  const command = typeof blamed === 'number' ? commandOf(state.script.at(blamed).step) : commandOfService(blamed);
  const failure = command === undefined ? unnumbered : classifyFailure({ ...end, command });

  if (place !== null) state.goOnFrom(resumeBefore(state, place, failure.prefixApplied));
  else state.goOnFrom(open[0]?.from ?? state.settledTo);

  if (failure.scope === 'environment') {
    state.endRun(failure.code, failure.message, failure.raw);
  } else if (place !== null) {
    if (typeof place.line !== 'number') return serviceFailed(state, place.line, failure, place, context);
    return lineFailed(state, state.script.at(place.line), failure, child, context);
  } else if (unnumbered.line === 1 && child.acknowledged === 0) {
    // The child's first line creates the acknowledgement set: another kind of set has its name.
    context.supply.renameAcknowledgement();
  } else if (open[0] !== undefined) {
    state.feeder.acknowledgeEachTo = Math.max(state.feeder.acknowledgeEachTo, open[0].to);
  }
  return false;
}

/** The line that a child stopped at, and its group. */
interface Place {
  readonly group: GroupUnderWay;
  readonly position: number;
  readonly line: number | Service;
}

/** By its number; without one, the only line of the first group, if it has no other. Null: not to be told. */
function placeOf(open: readonly GroupUnderWay[], lineNumber: number | null): Place | null {
  if (lineNumber === null) {
    const group = open[0];
    const line = group?.lines[0];
    return group !== undefined && line !== undefined && group.lines.length === 2 ? { group, position: 0, line } : null;
  }
  for (const group of open) {
    const position = lineNumber - group.firstLine;
    const line = group.lines[position];
    if (position >= 0 && line !== undefined) return { group, position, line };
  }
  return null;
}

const commandOfService = (service: Service | undefined): 'create' | 'destroy' | 'list' | undefined => {
  switch (service?.kind) {
    case undefined:
      return undefined;
    case 'prime':
    case 'mend-main':
      return 'create';
    case 'clear-temp':
      return 'destroy';
    case 'acknowledge':
      return 'list';
  }
};

/** The plan's line to go on from: the failing one, or the first of the run of adds or dels of one set just before it, if that may be lost. */
function resumeBefore(state: RunState, { group, position, line }: Place, isPrefixApplied: boolean): number {
  let resume = typeof line === 'number' ? line : nextPlanLine(group, position);
  if (isPrefixApplied) return resume;
  let run: string | null = null;
  for (let i = position - 1; i >= 0; i--) {
    const earlier = group.lines[i];
    if (typeof earlier !== 'number') break;
    const { step, section } = state.script.at(earlier);
    if (step !== 'add' && step !== 'del' && step !== 'fill') break;
    const key = `${step === 'del' ? 'del' : 'add'} ${targetOf(section, step)}`;
    if (run !== null && key !== run) break;
    run = key;
    resume = earlier;
  }
  return resume;
}

function nextPlanLine(group: GroupUnderWay, position: number): number {
  for (let i = position + 1; i < group.lines.length; i++) {
    const line = group.lines[i];
    if (typeof line === 'number') return line;
  }
  return group.to;
}

async function lineFailed(
  state: RunState,
  line: ScriptLine,
  failure: RestoreFailure,
  child: RestoreChild,
  context: EndContext,
): Promise<boolean> {
  const set = targetOf(line.section, line.step);
  const isFreshChild = child.touched.get(set) === context.run;
  switch (verdictOn(failure, { step: line.step, isFreshChild }).do) {
    case 'ask-fresh-child':
      return true;
    case 'count-applied':
      // Sent again or not, the lines before it are settled first: it is passed over when they are.
      state.outcomes.passOver(line.line);
      return false;
    case 'reject':
      state.reject(line, failure);
      if (failure.code === 'full') await settleFullSet(state, line, failure, context);
      return false;
    case 'retry-later':
      return retryOrReject(state, line, failure, context);
    case 'look-at-references': {
      const seen = await context.readHeader(set);
      const isFree = seen === 'missing' || seen?.references === 0;
      if (isFree) return retryOrReject(state, line, failure, context);
      state.reject(line, failure);
      return false;
    }
    case 'look-at-header': {
      const seen = await context.readHeader(set);
      const header = seen === null || seen === 'missing' ? undefined : seen.header;
      const conflict = headerConflict(line.section.header, header, failure.raw);
      if (conflict !== null) state.rejectSection(line.sectionIndex, conflict);
      else state.reject(line, failure);
      return false;
    }
    case 'restart-section':
      if (!state.restartSection(line.sectionIndex)) state.rejectSection(line.sectionIndex, failure);
      return true;
    case 'recreate-set':
      // The next child begins with the set's create. What the run had put in before is gone with the old set.
      state.doubt(set);
      return false;
    case 'mend-main':
      if (state.mayMend(line.sectionIndex)) state.feeder.mendMain(line.sectionIndex);
      else state.reject(line, failure);
      return true;
  }
}

async function serviceFailed(
  state: RunState,
  service: Service,
  failure: RestoreFailure,
  { group }: Place,
  context: EndContext,
): Promise<boolean> {
  if (service.kind === 'acknowledge') {
    // Somebody destroyed the acknowledgement set; what went before was applied. The next child creates it again.
    state.goOnFrom(group.to);
    return false;
  }
  const { sectionIndex } = service;
  const create = state.createOf(sectionIndex);
  if (failure.transient || failure.code === 'set-in-use') {
    const isWorthATry = await context.retries.again(create.line, context.signal);
    if (isWorthATry || context.signal?.aborted === true) return true;
  }
  switch (service.kind) {
    case 'prime':
      if (create.step !== 'create-temp' || !state.restartSection(sectionIndex))
        state.rejectSection(sectionIndex, failure);
      break;
    case 'clear-temp':
      state.reject(create, failure);
      break;
    case 'mend-main':
      state.reject(state.swapOf(sectionIndex), failure);
  }
  return true;
}

/** Once more after a while, or the kernel's word is final. A run that is being stopped leaves the line open. */
async function retryOrReject(
  state: RunState,
  line: ScriptLine,
  failure: RestoreFailure,
  { retries, signal }: EndContext,
): Promise<boolean> {
  const isWorthATry = await retries.again(line.line, signal, line.section.how === 'destroy');
  if (!isWorthATry && signal?.aborted !== true) state.reject(line, failure);
  return true;
}

function countProgress(state: RunState, before: number, end: RestoreChildEnd): void {
  const endsInARow = state.noteEnd(state.progressMark > before);
  if (endsInARow <= ENDS_WITHOUT_PROGRESS_MAX || state.environment !== null) return;
  if (end.signal !== null) state.endRun('killed', `ipset was ended by ${end.signal} again and again`, end.stderr);
  else if (end.exitCode === 0) state.endRun('killed', 'ipset ended early, with status 0, again and again', end.stderr);
  else state.endRun('unknown', 'ipset fails again and again without a line to blame', end.stderr);
}
