import type { Fault } from '@setkeeper/api';
import { readJson } from './json-text.ts';
import { MODEL_LIMITS } from './limits.ts';
import { lineIndex } from './line-index.ts';
import { ObjectDraft } from './object-draft.ts';
import { objectText } from './object-text.ts';
import type { ObjectKind } from './objects.ts';
import { readObject } from './read-object.ts';
import { sectionOf } from './section.ts';
import { visibleText } from './visible-text.ts';

/** The canonical text of one object, or null where it has an error. */
export interface ParsedValue {
  readonly text: string | null;
  readonly faults: readonly Fault[];
}

/** Reads one object from a JSON text of its own; faults name `file` (the key it stands under). The id must be a good one. */
export function parseObject(kind: ObjectKind, id: string, json: string, file: string): ParsedValue {
  const path = `${sectionOf(kind)}.${visibleText(id)}`;
  const lineOf = lineIndex(json);
  const read = readJson(json);
  const fault = (at: number, reason: string): ParsedValue => ({
    text: null,
    faults: [{ file, line: lineOf(at), path, reason, severity: 'error' }],
  });
  if (!read.ok) return fault(read.fault.at, read.fault.reason);
  const [root, another] = read.documents;
  if (root === undefined) return fault(0, 'holds no value');
  if (another !== undefined) return fault(another.at, 'holds more than one value');
  const draft = new ObjectDraft({ file, path, lineOf }, { values: MODEL_LIMITS.aliasedValuesMax + json.length });
  const object = readObject(kind, id, root, draft, null);
  return { text: draft.hasErrors ? null : objectText(object), faults: draft.faults() };
}
