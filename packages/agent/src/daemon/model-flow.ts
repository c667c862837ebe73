import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { ModelChange } from '../model/change.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { createBreather } from '../sources/breather.ts';
import type { Merge, MergedSource } from '../sources/merge.ts';
import type { Source, SourceUpdate } from '../sources/source.ts';
import type { LastGoodRepository } from '../store/store.ts';
import type { ModelHistory } from './model-history.ts';
import { reviewSourceProblems } from './source-problems.ts';

/** What takes the model: the engine. */
export interface ModelTaker {
  modelChanged(change: ModelChange): void;
  sourcesChanged(sources: readonly MergedSource[]): void;
}

export interface ModelFlowOptions {
  readonly sources: readonly Source[];
  readonly merge: Merge;
  readonly taker: ModelTaker;
  readonly history: ModelHistory;
  readonly lastGood: LastGoodRepository;
  readonly events: EventBus;
  readonly problems: ProblemBoard;
  readonly clock: Clock;
  /** Until then a source that has not spoken is no problem. */
  readonly startTimeoutSeconds: number;
  readonly onChange: (change: ModelChange) => void;
  readonly onReconnect: (source: string) => void;
  readonly onBug: (error: unknown) => void;
}

/** From sources to the engine: updates one after the other, in slices, each applied whole before anybody learns of it. */
export interface ModelFlow {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when everything delivered so far has reached the engine. */
  idle(): Promise<void>;
}

/** The longest that the end of the agent waits for history that is not written yet; what is left then is lost. */
const HISTORY_AT_STOP_MS = 2_000;

export function createModelFlow(options: ModelFlowOptions): ModelFlow {
  const { sources, merge, taker, history, lastGood, events, problems, clock } = options;
  const breathe = createBreather(clock);
  /** Sources whose first update is what the store remembered: nothing happened then. */
  const remembered = new Set(sources.filter(({ name }) => lastGood.hasSpoken(name)).map(({ name }) => name));
  /** Updates by source: the first only gives back what the store has, the second is the source's own word. */
  const updates = new Map<string, number>();
  let isOverdue = false;
  let cancelOverdue: () => void = () => {};
  let work: Promise<void> = Promise.resolve();
  /** History comes after programming, in its own time: a million rows must not keep the next change waiting. */
  let recording: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const record = (act: () => Promise<void> | void): void => {
    recording = recording.then(act).catch(options.onBug);
  };
  const review = (): void =>
    reviewSourceProblems(merge, problems, (source) => isOverdue || (updates.get(source) ?? 0) > 1);

  const take = async (update: SourceUpdate): Promise<void> => {
    const before = merge.source(update.source)?.state;
    const wasCurrent = merge.hasSpoken(update.source);
    const isRemembered = remembered.delete(update.source);
    updates.set(update.source, (updates.get(update.source) ?? 0) + 1);
    const change = await merge.applyInSlices(update, breathe);
    if (change !== null) {
      options.onChange(change);
      taker.modelChanged(change);
      events.emit({ type: 'model-changed', subject: update.source });
    }
    taker.sourcesChanged(merge.sources());
    review();
    const after = merge.source(update.source)?.state;
    if (before !== after) {
      record(() => history.sourceChanged(update, before ?? 'missing'));
      if (after === 'current' && wasCurrent) options.onReconnect(update.source);
    }
    events.emit({ type: 'source-changed', subject: update.source });
    if (change !== null && !isRemembered) record(() => history.record(change, createBreather(clock), ending.signal));
  };

  const deliver = (update: SourceUpdate): void => {
    // A bug in one update must not stop those that follow.
    work = work.then(() => take(update)).catch(options.onBug);
  };

  return {
    start: async () => {
      taker.sourcesChanged(merge.sources());
      cancelOverdue = clock.after(options.startTimeoutSeconds * 1000, () => {
        isOverdue = true;
        review();
      });
      await Promise.all(sources.map((source) => source.start(deliver).catch(options.onBug)));
    },
    stop: async () => {
      cancelOverdue();
      await Promise.all(sources.map((source) => source.stop().catch(options.onBug)));
      await work;
      const cancelEnd = clock.after(HISTORY_AT_STOP_MS, () => ending.abort());
      await recording;
      cancelEnd();
    },
    idle: async () => {
      await work;
    },
  };
}
