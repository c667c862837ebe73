import type { Owner } from '@setkeeper/api';
import { type Member, memberKey } from '@setkeeper/ipset';
import { type ObjectKey, objectKey } from '../../model/objects.ts';
import type { ChangeRepository, ObjectHistory } from '../../store/store.ts';

/** Changes of an object that are looked at; older ones than these are taken for when it began. */
const CHANGES_MAX = 50;

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
  since(member: Member, owners: readonly Owner[]): string | null {
    let earliest: string | null = null;
    for (const owner of owners) {
      const since = this.#ownerSince(member, owner);
      if (since !== null && (earliest === null || since < earliest)) earliest = since;
    }
    return earliest;
  }

  #ownerSince(member: Member, owner: Owner): string | null {
    const address = memberKey(member).split(',')[0] ?? member;
    if (owner.endpoint !== undefined) {
      const mustHold = owner.profile === undefined ? [address] : [address, owner.profile];
      const endpoint = this.objectSince(objectKey('endpoint', owner.endpoint), mustHold);
      const profile = owner.profile === undefined ? null : this.objectSince(objectKey('profile', owner.profile), []);
      return profile === null ? endpoint : later(endpoint, profile);
    }
    return owner.object === undefined ? null : this.objectSince(owner.object as ObjectKey, [address]);
  }

  /** When the newest unbroken row of an object's texts began in which all of some words stand. */
  objectSince(key: ObjectKey, words: readonly string[]): string | null {
    const history = this.#histories.get(key) ?? this.#changes.objectChanges(key, CHANGES_MAX);
    this.#histories.set(key, history);
    let since: string | null = null;
    for (const { at, text } of history) {
      if (text === null || !words.every((word) => holdsWord(text, word))) break;
      since = at;
    }
    return since ?? history[0]?.at ?? null;
  }
}

/** The later of two instants as text; null if the first is not known. */
function later(a: string | null, b: string): string | null {
  if (a === null) return null;
  return a < b ? b : a;
}

/** Whether a word stands in a text for itself: `10.0.0.1` does not stand in `10.0.0.11`. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) return true;
  }
  return false;
}

const isPartOfWord = (character: string | undefined): boolean => character !== undefined && /[\w.:-]/u.test(character);
