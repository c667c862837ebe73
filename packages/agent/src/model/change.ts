import { objectText } from './object-text.ts';
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
  /** The texts of both (`objectText`), where they are at hand: then nobody has to make the objects to know of them. */
  readonly textBefore?: string | null;
  readonly textAfter?: string | null;
}

/** Whether the object was there before. */
export const wasThere = (change: ObjectChange): boolean =>
  (change.textBefore === undefined ? change.before : change.textBefore) !== null;

/** Whether the object is there now. */
export const isThere = (change: ObjectChange): boolean =>
  (change.textAfter === undefined ? change.after : change.textAfter) !== null;

/** The text of the object as it is now; null: it is gone. */
export function textNow(change: ObjectChange): string | null {
  if (change.textAfter !== undefined) return change.textAfter;
  const { after } = change;
  return after === null ? null : objectText(after);
}

/** All changes of one generation; applied as one. `revision` counts up by one each. */
export interface ModelChange {
  readonly revision: number;
  readonly cause: ChangeCause;
  readonly changes: readonly ObjectChange[];
}
