import type { Owner } from '@setkeeper/api';
import { type GroupId, type Member, memberKey } from '@setkeeper/ipset';
import type { ObjectKey } from '../../model/objects.ts';
import type { ChangeRepository, ObjectHistory } from '../../store/store.ts';
import { HISTORY_MAX, type HistoricMember, nameBeginning, ownerOrigin } from './owner-history.ts';

/** Objects whose history was read for one page: most members of a page share their profiles. */
export class SinceReader {
  readonly #changes: Pick<ChangeRepository, 'objectChanges'>;
  readonly #histories = new Map<ObjectKey, readonly ObjectHistory[]>();

  constructor(changes: Pick<ChangeRepository, 'objectChanges'>) {
    this.#changes = changes;
  }

  /**
   * Since when a member has been in its group without a gap: the earliest time from which one of its owners wanted it,
   * out of the history of the objects. Null where the history does not reach back.
   */
  since(group: GroupId, member: Member, owners: readonly Owner[]): string | null {
    const historic = historicMember(group, member);
    let earliest: string | null = null;
    for (const owner of owners) {
      const since = ownerOrigin(this.#read, historic, owner)?.at ?? null;
      if (since !== null && (earliest === null || since < earliest)) earliest = since;
    }
    return earliest;
  }

  /** Since when an object has named a word without a gap. Null where the history does not reach back. */
  objectSince(key: ObjectKey, word: string): string | null {
    return nameBeginning(this.#read(key), word)?.at ?? null;
  }

  readonly #read = (key: ObjectKey): readonly ObjectHistory[] => {
    const history = this.#histories.get(key) ?? this.#changes.objectChanges(key, HISTORY_MAX);
    this.#histories.set(key, history);
    return history;
  };
}

function historicMember(group: GroupId, member: Member): HistoricMember {
  const key = memberKey(member);
  if (!group.startsWith('port:')) return { group, word: key };
  const comma = key.indexOf(',');
  return { group, word: key.slice(0, comma), port: key.slice(comma + 1) };
}
