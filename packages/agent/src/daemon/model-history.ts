import { isThere, type ModelChange, type ObjectChange, textNow, wasThere } from '../model/change.ts';
import { MODEL_LIMITS } from '../model/limits.ts';
import { networkDifferenceText } from '../model/network-difference.ts';
import type { Breathe } from '../sources/breather.ts';
import type { SourceUpdate } from '../sources/source.ts';
import type { ChangeRepository, ObjectHistory } from '../store/store.ts';

/** Writes what happened to the model: a line on the time line a generation, and a row an object. */
export interface ModelHistory {
  /** Ends early, with what is written so far, when `signal` says so. */
  record(change: ModelChange, breathe: Breathe, signal: AbortSignal): Promise<void>;
  sourceChanged(update: SourceUpdate, before: string): void;
}

/** Rows handed over at a time; the next are made when there is room for them, so that a million objects are never rows in memory at once. */
const ROWS_A_TIME = 500;
const DIFFERENCE_TEXT_MAX = 60_000;
const OBJECTS_NAMED_MAX = 3;
const FILES_NAMED_MAX = 3;

export function createModelHistory(changes: ChangeRepository): ModelHistory {
  return {
    record: async (change, breathe, signal) => {
      const at = new Date(change.cause.at).toISOString();
      const counts = { added: 0, changed: 0, removed: 0 };
      let rows: Omit<ObjectHistory, 'id'>[] = [];
      for (const one of change.changes) {
        const row = rowOf(one, change, at);
        counts[row.kind] += 1;
        rows.push(row);
        if (rows.length >= ROWS_A_TIME) {
          changes.appendObjects(rows);
          rows = [];
          await changes.room();
          if (signal.aborted) return;
        }
        const pause = breathe();
        if (pause !== null) await pause;
      }
      changes.appendObjects(rows);
      changes.append({
        at,
        kind: 'model',
        actor: change.cause.source,
        subject: subjectOf(change),
        text: textOf(change, counts),
        groups: [],
      });
    },

    sourceChanged: ({ source, state, since, detail }, before) =>
      changes.append({
        at: new Date(since).toISOString(),
        kind: 'source',
        actor: source,
        subject: source,
        text: `${source} is ${state}, was ${before}${detail === undefined || detail === '' ? '' : `: ${detail}`}`,
        groups: [],
      }),
  };
}

function rowOf(one: ObjectChange, { cause }: ModelChange, at: string): Omit<ObjectHistory, 'id'> {
  const { key, origin } = one;
  const commit = origin?.commit ?? cause.commit;
  return {
    at,
    key,
    kind: !wasThere(one) ? 'added' : isThere(one) ? 'changed' : 'removed',
    source: origin?.source ?? cause.source,
    text: textKept(one),
    ...(origin?.file === undefined ? {} : { file: origin.file }),
    ...(origin?.line === undefined ? {} : { line: origin.line }),
    ...(commit === undefined ? {} : { commit }),
  };
}

/**
 * What history keeps of an object: its text, or of a network too long for that what the change took in and out, so that
 * each of its networks can still be asked since when it is there.
 */
function textKept(one: ObjectChange): string | null {
  const after = textNow(one);
  if (after === null || after.length <= MODEL_LIMITS.historyTextMax) return after;
  const { key, textBefore: before } = one;
  if (key.startsWith('network/') && typeof before === 'string') {
    const difference = networkDifferenceText(key, before, after);
    if (difference !== null && difference.length <= DIFFERENCE_TEXT_MAX) return difference;
  }
  return after.slice(0, MODEL_LIMITS.historyTextMax);
}

/** The object, if it is one; else the files. */
function subjectOf({ changes, cause }: ModelChange): string {
  const [first] = changes;
  if (changes.length === 1 && first !== undefined) return first.key;
  return cause.files.length === 0 ? cause.source : named(cause.files, FILES_NAMED_MAX);
}

function textOf(change: ModelChange, counts: Readonly<Record<ObjectHistory['kind'], number>>): string {
  const { changes, cause } = change;
  const numbers = (['added', 'changed', 'removed'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en-US')} ${kind}`);
  // Of several objects the files are the subject already.
  const where = cause.files.length === 0 || changes.length > 1 ? '' : ` in ${named(cause.files, FILES_NAMED_MAX)}`;
  const keys = named(
    changes.slice(0, OBJECTS_NAMED_MAX + 1).map(({ key }) => key),
    OBJECTS_NAMED_MAX,
    changes.length,
  );
  const commit = cause.commit === undefined ? '' : ` (${cause.commit.slice(0, 12)})`;
  return `${numbers.join(', ')}${where}${commit}: ${keys}`;
}

function named(names: readonly string[], max: number, total = names.length): string {
  const shown = names.slice(0, max).join(', ');
  return total > max ? `${shown} and ${(total - max).toLocaleString('en-US')} more` : shown;
}
