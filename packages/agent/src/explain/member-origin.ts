import type { Owner } from '@setkeeper/api';
import { HISTORY_MAX, type HistoricMember, ownerOrigin } from '../engine/views/owner-history.ts';
import { keyParts } from '../model/object-text.ts';
import type { ObjectKey } from '../model/objects.ts';
import type { ChangeRepository, ObjectHistory } from '../store/store.ts';

/**
 * The change through which a member came to be in its group: of those from which on one of its owners wanted it without a
 * gap, the earliest. Null where the history does not reach back.
 */
export function memberOrigin(
  changes: Pick<ChangeRepository, 'objectChanges'>,
  member: HistoricMember,
  owners: readonly Owner[],
): ObjectHistory | null {
  const read = (key: ObjectKey) => changes.objectChanges(key, HISTORY_MAX);
  const origins = owners.flatMap((owner) => ownerOrigin(read, member, owner) ?? []);
  return origins.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))[0] ?? null;
}

/** `endpoint node-a/x`, as people read a key. */
export function titleOf(key: ObjectKey): string {
  const { kind, id } = keyParts(key);
  return `${kind} ${id}`;
}
