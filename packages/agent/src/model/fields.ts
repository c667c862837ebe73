import { checkId } from '@setkeeper/ipset';
import type { DocumentEntry, DocumentNode } from './document-node.ts';
import { MODEL_LIMITS } from './limits.ts';
import type { ObjectDraft } from './object-draft.ts';
import { visibleText } from './visible-text.ts';

/** The entries of a mapping by key; a key that stands twice, or a value that is no mapping, is an error of the draft. */
export function readMapping(
  node: DocumentNode,
  draft: ObjectDraft,
  sub = '',
): ReadonlyMap<string, DocumentEntry> | null {
  if (node.kind !== 'map') {
    draft.error(node.at, sub, `expected a mapping, not ${describe(node)}`);
    return null;
  }
  if (!draft.spend(node, node.entries.length)) return null;
  const entries = new Map<string, DocumentEntry>();
  for (const entry of node.entries) {
    if (entries.has(entry.key)) draft.error(entry.at, `${sub}.${entry.key}`, 'this key stands twice');
    else entries.set(entry.key, entry);
  }
  return entries;
}

/** Like `readMapping`, where only some keys have a meaning. */
export function readFields(
  node: DocumentNode,
  known: readonly string[],
  draft: ObjectDraft,
): ReadonlyMap<string, DocumentEntry> | null {
  const entries = readMapping(node, draft);
  if (entries === null) return null;
  for (const { key, at } of entries.values()) {
    if (!known.includes(key)) draft.error(at, `.${key}`, `unknown key; known are ${known.join(', ')}`);
  }
  return entries;
}

/** The items of a list field; an absent field is an empty list. */
export function readItems(entry: DocumentEntry | undefined, draft: ObjectDraft, sub: string): readonly DocumentNode[] {
  if (entry === undefined) return [];
  const { value } = entry;
  if (value.kind !== 'list') {
    draft.error(value.at, sub, `expected a list, not ${describe(value)}`);
    return [];
  }
  return draft.spend(value, value.items.length) ? value.items : [];
}

/** A single value as it is written, or null with an error. */
export function readText(node: DocumentNode, draft: ObjectDraft, sub: string): string | null {
  if (node.kind === 'scalar') return node.text;
  draft.error(node.at, sub, `expected a value, not ${describe(node)}`);
  return null;
}

/** A list of ids without repetition, in order of their code units. */
export function readIds(entry: DocumentEntry | undefined, draft: ObjectDraft, sub: string): readonly string[] {
  const ids = new Set<string>();
  for (const [index, item] of readItems(entry, draft, sub).entries()) {
    const place = `${sub}[${index}]`;
    const id = readText(item, draft, place);
    if (id === null) continue;
    const fault = checkId(id);
    if (fault === undefined) ids.add(id);
    else draft.error(item.at, place, `"${visibleText(id, 60)}" ${fault}`);
  }
  return [...ids].sort();
}

/** A note for people, at most 2,000 characters. */
export function readNote(entry: DocumentEntry | undefined, draft: ObjectDraft): string | undefined {
  if (entry === undefined) return undefined;
  const text = readText(entry.value, draft, '.note') ?? undefined;
  if (text !== undefined && text.length > MODEL_LIMITS.noteLengthMax) {
    draft.error(entry.value.at, '.note', `is longer than ${MODEL_LIMITS.noteLengthMax} characters`);
  }
  return text;
}

function describe(node: DocumentNode): string {
  switch (node.kind) {
    case 'map':
      return 'a mapping';
    case 'list':
      return 'a list';
    case 'null':
      return 'nothing';
    case 'scalar':
      return `"${visibleText(node.text, 40)}"`;
  }
}
