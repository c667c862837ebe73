import type { GroupId } from '@setkeeper/ipset';
import type { DocumentNode } from '../document-node.ts';
import { readFields, readItems, readNote } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { List } from '../objects.ts';
import { readGroups } from './group-members.ts';

/** The JSON form of a list, as documents write it. */
export interface ListJson {
  readonly members: readonly GroupId[];
  readonly note?: string;
}

/** Reads `{ members: [GROUP, ...] }`. The kernel knows no list in a list, and matches ports only in a list of their own. */
export function readList(id: string, node: DocumentNode, draft: ObjectDraft): List {
  const fields = readFields(node, ['members', 'note'], draft);
  const entry = fields?.get('members');
  if (fields !== null && entry === undefined) draft.error(node.at, '', 'a list needs members');
  const note = readNote(fields?.get('note'), draft);
  const members = readGroups(readItems(entry, draft, '.members'), draft, '.members', (kind) =>
    kind === 'list' ? 'a list cannot hold a list' : undefined,
  );
  const ports = members.filter((member) => member.startsWith('port:')).length;
  if (entry !== undefined && ports > 0 && ports < members.length) {
    draft.error(entry.value.at, '.members', 'port groups cannot be mixed with other groups in one list');
  }
  return { kind: 'list', id, members, ...(note === undefined ? {} : { note }) };
}

export const listJson = ({ members, note }: List): ListJson => ({
  members,
  ...(note === undefined ? {} : { note }),
});

export const listOf = (id: string, json: ListJson): List => ({
  kind: 'list',
  id,
  members: json.members,
  ...(json.note === undefined ? {} : { note: json.note }),
});
