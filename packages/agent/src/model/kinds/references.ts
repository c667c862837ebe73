import { checkId, type GroupId } from '@setkeeper/ipset';
import type { DocumentEntry, DocumentNode } from '../document-node.ts';
import { readFields, readItems, readText } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { References } from '../objects.ts';
import { readGroups } from './group-members.ts';

/** The JSON form of a references document, as documents write it. */
export interface ReferencesJson {
  readonly groups: readonly GroupId[];
  readonly hosts?: readonly string[];
}

/** Reads `[GROUP, ...]` or `{ groups: [GROUP, ...], hosts: [PATTERN, ...] }`. */
export function readReferences(id: string, node: DocumentNode, draft: ObjectDraft): References {
  if (id.startsWith('pin/')) draft.error(node.at, '', 'names that begin with pin/ are those of pins: choose another');
  if (node.kind === 'list') {
    const items = draft.spend(node, node.items.length) ? node.items : [];
    return { kind: 'references', id, groups: readGroups(items, draft, ''), hosts: [] };
  }
  const fields = readFields(node, ['groups', 'hosts'], draft);
  const entry = fields?.get('groups');
  if (fields !== null && entry === undefined) draft.error(node.at, '', 'a references document needs groups');
  const groups = readGroups(readItems(entry, draft, '.groups'), draft, '.groups');
  return { kind: 'references', id, groups, hosts: readHosts(fields?.get('hosts'), draft) };
}

export const referencesJson = ({ groups, hosts }: References): ReferencesJson => ({
  groups,
  ...(hosts.length === 0 ? {} : { hosts }),
});

export const referencesOf = (id: string, json: ReferencesJson): References => ({
  kind: 'references',
  id,
  groups: json.groups,
  hosts: json.hosts ?? [],
});

/** An empty list would read as "no host" and mean "every host": it is refused. */
function readHosts(entry: DocumentEntry | undefined, draft: ObjectDraft): readonly string[] {
  if (entry === undefined) return [];
  const patterns = new Set<string>();
  const items = readItems(entry, draft, '.hosts');
  if (entry.value.kind === 'list' && items.length === 0) {
    draft.error(entry.value.at, '.hosts', 'name at least one host, or leave hosts out to mean every host');
  }
  for (const [index, item] of items.entries()) {
    const place = `.hosts[${index}]`;
    const pattern = readText(item, draft, place);
    const fault = pattern === null ? undefined : checkId(pattern);
    if (pattern === null) continue;
    if (fault === undefined) patterns.add(pattern);
    else draft.error(item.at, place, `the pattern ${fault}`);
  }
  return [...patterns].sort();
}
