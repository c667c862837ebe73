import type { Fault } from '@setkeeper/api';
import { checkId } from '@setkeeper/ipset';
import type { DocumentEntry, DocumentNode, ReadDocuments } from './document-node.ts';
import { readJson } from './json-text.ts';
import type { ListFiles } from './kinds/network.ts';
import { MODEL_LIMITS } from './limits.ts';
import { type LineOf, lineIndex } from './line-index.ts';
import { ObjectDraft, type ReadBudget } from './object-draft.ts';
import { objectText } from './object-text.ts';
import { type ObjectKey, type ObjectKind, objectKey } from './objects.ts';
import { readObject } from './read-object.ts';
import { kindOfSection, SECTIONS } from './section.ts';
import { visibleText } from './visible-text.ts';
import { readYaml } from './yaml-text.ts';

/** One object as a file says it: its canonical text, or null where it has an error and its last good value stays. */
export interface ParsedObject {
  readonly key: ObjectKey;
  readonly line: number;
  readonly text: string | null;
}

/** What a text of documents says. */
export interface ParsedDocuments {
  /**
   * `whole`: everything that the text says is here. `partial`: something in it cannot be assigned to an object (an
   * unknown section, an impossible id), so an object that it no longer names may still be meant. `none`: it does not parse.
   */
  readonly extent: 'whole' | 'partial' | 'none';
  readonly objects: readonly ParsedObject[];
  readonly faults: readonly Fault[];
}

/** Reads the documents of one text. Never throws for what the text says; linear in its length. */
export function parseDocuments(
  text: string,
  source: { readonly file: string; readonly format: 'yaml' | 'json'; readonly lists: ListFiles | null },
): ParsedDocuments {
  const read: ReadDocuments = source.format === 'json' ? readJson(text) : readYaml(text);
  const lineOf = lineIndex(text);
  if (!read.ok) {
    const { at, reason } = read.fault;
    const line = lineOf(Math.min(at, Math.max(0, text.length - 1)));
    return {
      extent: 'none',
      objects: [],
      faults: [{ file: source.file, line, path: '', reason: visibleText(reason, 600), severity: 'error' }],
    };
  }
  const reading = new Reading(source.file, source.lists, lineOf);
  for (const document of read.documents) reading.document(document);
  return reading.result();
}

class Reading {
  readonly #file: string;
  readonly #lists: ListFiles | null;
  readonly #lineOf: LineOf;
  readonly #budget: ReadBudget = { values: 0 };
  readonly #objects: ParsedObject[] = [];
  readonly #lines = new Map<ObjectKey, number>();
  readonly #faults: Fault[] = [];
  #isPartial = false;

  constructor(file: string, lists: ListFiles | null, lineOf: LineOf) {
    this.#file = file;
    this.#lists = lists;
    this.#lineOf = lineOf;
  }

  result(): ParsedDocuments {
    return { extent: this.#isPartial ? 'partial' : 'whole', objects: this.#objects, faults: this.#faults };
  }

  document(root: DocumentNode): void {
    if (root.kind !== 'map') {
      this.#lost(root.at, '', `a document is a mapping of ${Object.keys(SECTIONS).join(', ')}`);
      return;
    }
    this.#budget.values += valuesIn(root) + MODEL_LIMITS.aliasedValuesMax;
    const seen = new Set<string>();
    for (const section of root.entries) {
      const kind = kindOfSection(section.key);
      if (kind === undefined) {
        this.#lost(section.at, section.key, `unknown key; known are ${Object.keys(SECTIONS).join(', ')}`);
      } else if (seen.has(section.key)) {
        this.#lost(section.at, section.key, 'this key stands twice in one document; only the first is read');
      } else {
        seen.add(section.key);
        this.#section(kind, section);
      }
    }
  }

  #section(kind: ObjectKind, { key: name, at, value }: DocumentEntry): void {
    if (value.kind === 'null') return;
    if (value.kind !== 'map') {
      this.#lost(at, name, 'expected a mapping of ids to objects');
      return;
    }
    for (const entry of value.entries) {
      const path = `${name}.${visibleText(entry.key)}`;
      const fault = checkId(entry.key);
      if (fault !== undefined) {
        this.#lost(entry.at, path, `the id ${fault}`);
        continue;
      }
      const key = objectKey(kind, entry.key);
      const first = this.#lines.get(key);
      if (first === undefined) this.#object(kind, key, entry, path);
      else this.#tell(entry.at, path, `this id stands already on line ${first}; the first one counts`);
    }
  }

  #object(kind: ObjectKind, key: ObjectKey, { key: id, at, value }: DocumentEntry, path: string): void {
    const line = this.#lineOf(at);
    const draft = new ObjectDraft({ file: this.#file, path, lineOf: this.#lineOf }, this.#budget);
    const object = readObject(kind, id, value, draft, this.#lists);
    this.#lines.set(key, line);
    this.#objects.push({ key, line, text: draft.hasErrors ? null : objectText(object) });
    this.#faults.push(...draft.faults());
  }

  /** A fault that hides objects that may be meant. */
  #lost(at: number, path: string, reason: string): void {
    this.#isPartial = true;
    this.#tell(at, path, reason);
  }

  #tell(at: number, path: string, reason: string): void {
    const line = this.#lineOf(at);
    this.#faults.push({ file: this.#file, line, path: visibleText(path, 600), reason, severity: 'error' });
  }
}

/** How many values a document really holds: what stands behind an alias counts once. */
function valuesIn(root: DocumentNode): number {
  const seen = new Set<DocumentNode>();
  const waiting: DocumentNode[] = [root];
  let values = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'scalar' || node.kind === 'null' || seen.has(node)) continue;
    seen.add(node);
    if (node.kind === 'list') for (const item of node.items) waiting.push(item);
    else for (const { value } of node.entries) waiting.push(value);
    values += node.kind === 'list' ? node.items.length : node.entries.length;
  }
  return values;
}
