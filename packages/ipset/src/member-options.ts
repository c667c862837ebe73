import type { SetHeader } from './header.ts';

/** What stands behind an element in `save` and `list` output. */
export interface MemberOptions {
  readonly nomatch: boolean;
  readonly wildcard: boolean;
  /** Seconds left; 0 is permanent; null where the set has no timeouts. */
  readonly timeout: number | null;
  /** Exact up to 2^64-1. */
  readonly packets: bigint | null;
  readonly bytes: bigint | null;
  /** The comment's bytes, one char a byte (latin1), so that it round-trips; `commentText` makes it readable. */
  readonly comment: string | null;
  readonly skbmark: string | null;
  readonly skbprio: string | null;
  readonly skbqueue: string | null;
}

/** An element with its options (null: none), as latin1. */
export interface MemberWords {
  readonly element: string;
  readonly options: MemberOptions | null;
}

/**
 * Takes the words of a member apart: an element, then options in any order, each at most once. With `isStrict` only
 * options are taken that a set with this header can have; everything else makes it undefined, so that no text of
 * unknown meaning passes for a member. The element of a list is a set's name, which may hold spaces: it ends where the
 * rest reads as options, and `knownNames` are tried first.
 */
export function parseMemberWords(
  words: string,
  header: SetHeader,
  o: { readonly isStrict: boolean; readonly knownNames: ReadonlyMap<string, unknown> },
): MemberWords | undefined {
  if (header.type === 'list:set') return parseListMember(words, header, o);
  const space = words.indexOf(' ');
  if (space < 0) return words === '' ? undefined : { element: words, options: null };
  if (space === 0) return undefined;
  const options = parseOptions(words.slice(space), o.isStrict ? header : undefined);
  return options === undefined ? undefined : { element: words.slice(0, space), options };
}

function parseListMember(
  words: string,
  header: SetHeader,
  o: { readonly isStrict: boolean; readonly knownNames: ReadonlyMap<string, unknown> },
): MemberWords | undefined {
  if (o.knownNames.has(words)) return { element: words, options: null };
  let first: MemberWords | undefined;
  for (let space = words.indexOf(' '); space >= 0; space = words.indexOf(' ', space + 1)) {
    const options = parseOptions(words.slice(space), o.isStrict ? header : undefined);
    if (options === undefined || options === null) continue;
    const member = { element: words.slice(0, space), options };
    if (o.knownNames.has(member.element)) return member;
    first ??= member;
  }
  return first ?? { element: words, options: null };
}

type Draft = { -readonly [Key in keyof MemberOptions]: MemberOptions[Key] };

/** Options from ` key value key value`; null if there are none; undefined if it is something else. */
function parseOptions(text: string, header: SetHeader | undefined): MemberOptions | null | undefined {
  const draft: Draft = {
    nomatch: false,
    wildcard: false,
    timeout: null,
    packets: null,
    bytes: null,
    comment: null,
    skbmark: null,
    skbprio: null,
    skbqueue: null,
  };
  let count = 0;
  let at = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) === SPACE) {
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    const key = text.slice(at, end);
    const next = header === undefined && IGNORED.has(key) ? end : takeOption(draft, key, text, end, header);
    if (next < 0) return undefined;
    at = next;
    count++;
  }
  return count === 0 ? null : draft;
}

const SPACE = 32;

/** Words that ipset takes anywhere in a hand-made file, and that say nothing about the member. */
const IGNORED: ReadonlySet<string> = new Set(['-exist', '-!', '--exist']);

/** Reads one option whose key ends at `at`; returns where it ends, or -1. */
function takeOption(draft: Draft, key: string, text: string, at: number, header: SetHeader | undefined): number {
  if (header !== undefined && !canHave(key, header)) return -1;
  if (key === 'nomatch' || key === 'wildcard') {
    if (draft[key]) return -1;
    draft[key] = true;
    return at;
  }
  if (key === 'comment') return takeComment(draft, text, at);
  const end = wordEnd(text, at + 1);
  const value = text.slice(at + 1, end);
  switch (key) {
    case 'timeout':
      if (draft.timeout !== null || !/^[0-9]{1,10}$/.test(value)) return -1;
      draft.timeout = Number(value);
      return end;
    case 'packets':
    case 'bytes':
      if (draft[key] !== null || !/^[0-9]{1,20}$/.test(value)) return -1;
      draft[key] = BigInt(value);
      return end;
    case 'skbmark':
    case 'skbprio':
    case 'skbqueue':
      if (draft[key] !== null || !/^[0-9a-fx:/]+$/i.test(value)) return -1;
      draft[key] = value;
      return end;
    default:
      return -1;
  }
}

/** ` "..."`: no comment can hold a quote (ipset refuses it, and prints none escaped), so the next one ends it. */
function takeComment(draft: Draft, text: string, at: number): number {
  if (draft.comment !== null || !text.startsWith(' "', at)) return -1;
  const close = text.indexOf('"', at + 2);
  if (close < 0) return -1;
  draft.comment = text.slice(at + 2, close);
  return close + 1;
}

function canHave(key: string, header: SetHeader): boolean {
  switch (key) {
    case 'timeout':
      return header.timeout !== null;
    case 'packets':
    case 'bytes':
      return header.counters;
    case 'comment':
      return header.comment;
    case 'skbmark':
    case 'skbprio':
    case 'skbqueue':
      return header.skbinfo;
    case 'nomatch':
      return header.type.includes('net');
    case 'wildcard':
      return header.type.includes('iface');
    default:
      return false;
  }
}

function wordEnd(text: string, start: number): number {
  const space = text.indexOf(' ', start);
  return space < 0 ? text.length : space;
}
