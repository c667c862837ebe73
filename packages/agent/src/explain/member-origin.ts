import type { Owner } from '@setkeeper/api';
import { keyParts, objectOfText } from '../model/object-text.ts';
import { type ModelObject, type ObjectKey, objectKey } from '../model/objects.ts';
import type { ChangeRepository, ObjectHistory } from '../store/store.ts';

/** Through which change of which object a member came to be in its group. */
export interface MemberOrigin {
  readonly since: string;
  readonly change: ObjectHistory;
}

/** Changes of an object that are looked at: older ones than these are taken for when it began. */
const CHANGES_MAX = 50;

/**
 * The change from which on one of the owners wanted the member without a gap: the earliest of them. For a tag that is
 * the later of the endpoint's and the profile's. Null where the history does not reach back.
 */
export function memberOrigin(
  changes: Pick<ChangeRepository, 'objectChanges'>,
  word: string,
  owners: readonly Owner[],
): MemberOrigin | null {
  const origins = owners.flatMap((owner) => ownerOrigin(changes, word, owner) ?? []);
  return origins.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0))[0] ?? null;
}

function ownerOrigin(
  changes: Pick<ChangeRepository, 'objectChanges'>,
  word: string,
  owner: Owner,
): MemberOrigin | null {
  if (owner.endpoint === undefined) {
    return owner.object === undefined ? null : unbroken(changes, owner.object as ObjectKey, [word]);
  }
  const words = owner.profile === undefined ? [word] : [word, owner.profile];
  const endpoint = unbroken(changes, objectKey('endpoint', owner.endpoint), words);
  const profile = owner.profile === undefined ? null : unbroken(changes, objectKey('profile', owner.profile), []);
  if (endpoint === null || profile === null) return endpoint;
  return profile.since > endpoint.since ? profile : endpoint;
}

/** Where the newest unbroken row of an object's texts began in which all of some words stand. */
function unbroken(
  changes: Pick<ChangeRepository, 'objectChanges'>,
  key: ObjectKey,
  words: readonly string[],
): MemberOrigin | null {
  const history = changes.objectChanges(key, CHANGES_MAX);
  let first: ObjectHistory | null = null;
  for (const change of history) {
    const { text } = change;
    if (text === null || !words.every((word) => holdsWord(text, word))) break;
    first = change;
  }
  const change = first ?? history[0] ?? null;
  return change === null || change.text === null ? null : { since: change.at, change };
}

/** Whether a word stands in a text for itself: `10.0.0.1` does not stand in `10.0.0.11`. */
export function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) return true;
  }
  return false;
}

const isPartOfWord = (character: string | undefined): boolean => character !== undefined && /[\w.:-]/u.test(character);

/** The object of a row of history; null: it was removed then, or its text is too long to be kept whole. */
export function objectOf({ key, text }: ObjectHistory): ModelObject | null {
  if (text === null) return null;
  try {
    return objectOfText(key, text);
  } catch {
    // Cut at the store's limit: what is missing cannot be told, and is no fault.
    return null;
  }
}

/** `endpoint node-a/x`, as people read a key. */
export function titleOf(key: ObjectKey): string {
  const { kind, id } = keyParts(key);
  return `${kind} ${id}`;
}
