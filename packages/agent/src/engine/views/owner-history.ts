import type { Owner } from '@setkeeper/api';
import { type GroupId, type Member, memberKey, parseGroupId } from '@setkeeper/ipset';
import { MODEL_LIMITS } from '../../model/limits.ts';
import { networkDifferenceOf } from '../../model/network-difference.ts';
import { objectOfText } from '../../model/object-text.ts';
import { type ModelObject, type ObjectKey, objectKey } from '../../model/objects.ts';
import type { ObjectHistory } from '../../store/store.ts';

/** A member as the history of objects knows it. */
export interface HistoricMember {
  readonly group: GroupId;
  /** What an object must name: an address, a network, a group of a list. */
  readonly word: string;
  /** `tcp:8080`, where one certain member of a port group is meant. */
  readonly port?: string;
}

/** The changes of one object, the newest first. */
export type ReadHistory = (key: ObjectKey) => readonly ObjectHistory[];

/** Changes of an object that are looked at: older ones than these are taken for when it began. */
export const HISTORY_MAX = 50;

/**
 * The change from which on an owner wanted a member in its group without a gap: for a tag or port the later one of the
 * endpoint's (active, with the address, the profile and the port) and the profile's (with the tag). Null where the history
 * does not reach back.
 */
export function ownerOrigin(read: ReadHistory, member: HistoricMember, owner: Owner): ObjectHistory | null {
  if (owner.endpoint === undefined) {
    if (owner.object === undefined) return null;
    return nameBeginning(read(owner.object as ObjectKey), member.word);
  }
  const { profile } = owner;
  const endpoint = beginning(read(objectKey('endpoint', owner.endpoint)), (change) => owns(change, member, profile));
  if (endpoint === null || profile === undefined) return endpoint;
  const carrying = beginning(read(objectKey('profile', profile)), (change) => carries(change, member.group));
  return carrying !== null && carrying.at > endpoint.at ? carrying : endpoint;
}

/** Where the newest unbroken row of changes began for all of which something holds. */
function beginning(history: readonly ObjectHistory[], holds: (change: ObjectHistory) => boolean): ObjectHistory | null {
  const end = history.findIndex((change) => change.text === null || !holds(change));
  const first = end < 0 ? history.at(-1) : history[Math.max(0, end - 1)];
  return first === undefined || first.text === null ? null : first;
}

/**
 * The change from which on an object has named a word without a gap, also out of rows that only tell a difference. Null
 * where what is kept does not tell.
 */
export function nameBeginning(history: readonly ObjectHistory[], word: string): ObjectHistory | null {
  let first: ObjectHistory | null = null;
  for (const change of history) {
    const names = namesNow(change, word);
    if (names === 'never') return first;
    if (names === 'from here') return change;
    first = names === 'has' ? change : null;
  }
  return first;
}

/** What a change says of a word: the object has it, has it not, took it in, or has it or not as it was before. */
export function namesNow({ text }: ObjectHistory, word: string): 'has' | 'never' | 'from here' | 'as before' {
  if (text === null) return 'never';
  const difference = networkDifferenceOf(text);
  if (difference === null) {
    // Of a text that was cut, what is missing is taken for having it: no later difference took it in.
    return holdsWord(text, word) || text.length >= MODEL_LIMITS.historyTextMax ? 'has' : 'never';
  }
  const has = (entries: readonly string[]) => entries.some((entry) => memberKey(entry as Member) === word);
  if (has(difference.added)) return 'from here';
  return has(difference.removed) ? 'never' : 'as before';
}

function owns(change: ObjectHistory, { group, word, port }: HistoricMember, profile: string | undefined): boolean {
  const object = objectOf(change);
  if (object?.kind !== 'endpoint') return change.text !== null && holdsWord(change.text, word);
  const hasAddress = object.ipv4.some((each) => each === word) || object.ipv6.some((each) => each === word);
  const hasProfile = profile === undefined || object.profiles.includes(profile);
  if (!object.active || !hasAddress || !hasProfile) return false;
  const parsed = parseGroupId(group);
  if (!parsed.ok || parsed.port === undefined) return true;
  const named = object.ports.get(parsed.port);
  return named !== undefined && (port === undefined || port === `${named.protocol}:${named.port}`);
}

function carries(change: ObjectHistory, group: GroupId): boolean {
  const object = objectOf(change);
  const parsed = parseGroupId(group);
  if (object?.kind !== 'profile' || !parsed.ok) return true;
  return object.tags.includes(parsed.tag ?? parsed.name);
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
