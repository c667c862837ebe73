import type { Family } from './family.ts';
import type { SetHeader } from './header.ts';
import { parseSetHeader } from './header-words.ts';
import type { SetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/**
 * The header with which a set of ours is created. `hashsize` is presized for `members` (a power of two of at least
 * members / 4 and 64: it saves the kernel's rehashing and, for small sets, 15 kB each); it never differs from a seen
 * header. A `list:set` always has ipset's default `size`, which the kernel does not enforce (measured: 47 members in a
 * list of size 8): another one would make `create -exist` of an existing list fail. A set that was not created by us
 * (adopted) must be created again with the header as seen, not with this one.
 */
export function desiredHeader(o: {
  readonly name: SetName;
  readonly type: ManagedType;
  readonly family: Family | null;
  readonly maxelem: number;
  readonly members: number;
}): SetHeader {
  const words =
    o.type === 'list:set'
      ? `size ${LIST_SIZE}`
      : `family ${o.family ?? 'inet'} hashsize ${hashsizeFor(o.members)} maxelem ${o.maxelem}`;
  return parseSetHeader(o.name, o.type, words);
}

/** ipset's IP_SET_LIST_DEFAULT_SIZE. */
const LIST_SIZE = 8;
const HASHSIZE_MIN = 64;
/** Beyond it the table alone would take hundreds of megabytes; the kernel grows it as needed. */
const HASHSIZE_MAX = 2 ** 24;

function hashsizeFor(members: number): number {
  let hashsize = HASHSIZE_MIN;
  while (hashsize * 4 < members && hashsize < HASHSIZE_MAX) hashsize *= 2;
  return hashsize;
}
