import type { ModelObject, ObjectKey, Origin } from './objects.ts';

/** What made a model change: for runs, history and held changes. */
export interface ChangeCause {
  /** The source's name, or `overrides`, `pins`. */
  readonly source: string;
  readonly files: readonly string[];
  readonly commit?: string;
  readonly at: number;
}

/** One object that appeared, changed or went, after the order of sources was applied. */
export interface ObjectChange {
  readonly key: ObjectKey;
  readonly before: ModelObject | null;
  readonly after: ModelObject | null;
  readonly origin: Origin | null;
}

/** All changes of one generation; applied as one. `revision` counts up by one each. */
export interface ModelChange {
  readonly revision: number;
  readonly cause: ChangeCause;
  readonly changes: readonly ObjectChange[];
}
