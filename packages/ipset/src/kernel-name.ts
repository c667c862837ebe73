import { AssertionError } from 'node:assert';
import { createHash } from 'node:crypto';
import type { Family } from './family.ts';
import { type GroupId, type GroupKind, parseGroupId } from './group-id.ts';
import { isWritableSetName, SET_NAME_BYTES_MAX, type SetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/** Bytes in, 32 bytes out. */
export type Digest256 = (utf8: Uint8Array) => Uint8Array;

/** SHA-256, the digest of kernel names. */
const sha256: Digest256 = (utf8) => createHash('sha256').update(utf8).digest();

/**
 * The kernel's name of a group's set in a family (a list: family null): the same on every host and in every version.
 * Readable (`sk-v4-t.web`) where the group's name fits as it is, else `_` and as much of the digest of the group id in
 * base 36 as 31 bytes hold. Two groups can meet in one name: it is for the caller to refuse the second.
 * `digest` can be replaced by a test to force such a meeting. Throws an assertion for a family that the kind has not.
 */
export function kernelName(prefix: string, group: GroupId, family: Family | null, digest: Digest256 = sha256): SetName {
  const { kind, name } = takeApart(group);
  const start = prefix + kindPart(kind, family);
  const room = SET_NAME_BYTES_MAX - start.length;
  if (kind !== 'port' && name.length <= room && READABLE_STEM.test(name)) return checked(start + name);
  return checked(`${start}_${base36(digest(Buffer.from(group, 'utf8'))).slice(0, room - 1)}`);
}

/** The name of a temporary set: `<prefix>tmp-<unique>`. Throws an assertion if it is longer than 31 bytes or not writable. */
export const temporaryName = (prefix: string, unique: string): SetName => checked(`${prefix}tmp-${unique}`);

/** The name of an acknowledgement set: `<prefix>ack-<unique>`. Throws an assertion as `temporaryName` does. */
export const acknowledgementName = (prefix: string, unique: string): SetName => checked(`${prefix}ack-${unique}`);

/** The type name of a group's sets: tag and hosts `hash:ip`, port `hash:ip,port`, net `hash:net`, list `list:set`. */
export function setTypeOf(group: GroupId): ManagedType {
  switch (takeApart(group).kind) {
    case 'tag':
    case 'hosts':
      return 'hash:ip';
    case 'port':
      return 'hash:ip,port';
    case 'net':
      return 'hash:net';
    case 'list':
      return 'list:set';
  }
}

const READABLE_STEM = /^[A-Za-z0-9.-][A-Za-z0-9_.-]*$/;
const KIND_LETTER = { tag: 't', port: 'p', net: 'n', hosts: 'h' } as const;

function takeApart(group: GroupId): { readonly kind: GroupKind; readonly name: string } {
  const parsed = parseGroupId(group);
  if (!parsed.ok) throw new AssertionError({ message: `not a group id: ${JSON.stringify(group)}: ${parsed.reason}` });
  return parsed;
}

function kindPart(kind: GroupKind, family: Family | null): string {
  if (kind === 'list') {
    if (family !== null) throw new AssertionError({ message: 'a list has no family' });
    return 'l.';
  }
  if (family === null) throw new AssertionError({ message: `a group of kind ${kind} has one set a family` });
  return `${family === 'inet' ? 'v4' : 'v6'}-${KIND_LETTER[kind]}.`;
}

const base36 = (bytes: Uint8Array): string => BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString(36);

function checked(name: string): SetName {
  if (!isWritableSetName(name)) {
    throw new AssertionError({ message: `not a name that may be written: ${JSON.stringify(name)}` });
  }
  return name as SetName;
}
