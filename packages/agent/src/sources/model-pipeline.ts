import type { Clock } from '../clock.ts';
import type { ModelChange } from '../model/change.ts';
import { createBreather } from './breather.ts';
import type { Merge, MergedSource } from './merge.ts';
import type { SourceUpdate } from './source.ts';

/** Where the updates of all sources meet. */
export interface ModelPipeline {
  /** Takes an update of any source. Updates are worked on one after the other, in the order of their arrival. */
  readonly accept: (update: SourceUpdate) => void;
  /** Resolves when everything accepted so far has been handed on. */
  idle(): Promise<void>;
}

/** Who is told what. Both are called for every update, in this order; `onChange` only if the model changed. */
export interface ModelPipelineOptions {
  readonly merge: Merge;
  readonly clock: Clock;
  readonly onChange: (change: ModelChange) => void;
  readonly onSource: (source: MergedSource) => void;
  /** A bug in whoever was told: the next update is worked on all the same. */
  readonly onBug: (error: unknown) => void;
}

/** Merges updates in slices, so that a generation of a million objects keeps nobody waiting, and hands on what they change. */
export function createModelPipeline({ merge, clock, onChange, onSource, onBug }: ModelPipelineOptions): ModelPipeline {
  let last: Promise<void> = Promise.resolve();
  const work = async (update: SourceUpdate): Promise<void> => {
    const change = await merge.applyInSlices(update, createBreather(clock));
    if (change !== null) onChange(change);
    const source = merge.source(update.source);
    if (source !== null) onSource(source);
  };
  return {
    accept: (update) => {
      last = last.then(() => work(update)).catch(onBug);
    },
    idle: () => last,
  };
}
