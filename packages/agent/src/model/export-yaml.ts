import { objectJson } from './object-text.ts';
import type { ModelObject, ObjectKind } from './objects.ts';
import { SECTIONS } from './section.ts';

/**
 * The model as one YAML document that `parseDocuments` reads back to equal objects: sections in their order, ids sorted,
 * one object a line. A network stands with the networks of its files written out, since the files do not travel.
 * Yields pieces of text, so that a large model is never one string on its way.
 */
export function* exportYaml(objects: Iterable<ModelObject>): Generator<string> {
  const byKind = new Map<ObjectKind, ModelObject[]>();
  for (const object of objects) {
    const ofKind = byKind.get(object.kind);
    if (ofKind === undefined) byKind.set(object.kind, [object]);
    else ofKind.push(object);
  }
  for (const [section, kind] of Object.entries(SECTIONS)) {
    const ofKind = byKind.get(kind);
    if (ofKind === undefined) continue;
    yield `${section}:\n`;
    for (const object of ofKind.sort((a, b) => (a.id < b.id ? -1 : 1))) yield objectLines(object);
  }
}

function objectLines(object: ModelObject): string {
  if (object.kind !== 'network' || object.files.length === 0) {
    return `  ${scalar(object.id)}: ${flow(objectJson(object))}\n`;
  }
  const came = `  # with the networks of ${object.files.map(scalar).join(', ')}\n`;
  return `${came}  ${scalar(object.id)}: ${flow(objectJson({ ...object, files: [] }))}\n`;
}

/** JSON values as YAML in flow style, quoted only where it must be. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${scalar(key)}: ${flow(each)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? scalar(value) : String(value);
}

const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const ADDRESS = /^[0-9.]+(\/[0-9]+)?$/;
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

function scalar(text: string): string {
  if (ADDRESS.test(text) || (PLAIN.test(text) && !WORDS.has(text.toLowerCase()))) return text;
  return JSON.stringify(text).replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu;
