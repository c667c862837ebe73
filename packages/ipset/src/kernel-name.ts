import type { Family } from './family.ts';
import type { GroupId } from './group-id.ts';
import type { SetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/** Bytes in, 32 bytes out. */
export type Digest256 = (utf8: Uint8Array) => Uint8Array;

export function kernelName(_prefix: string, _group: GroupId, _family: Family | null, _digest?: Digest256): SetName {
  throw new Error('not written yet');
}

export function temporaryName(_prefix: string, _unique: string): SetName {
  throw new Error('not written yet');
}

export function acknowledgementName(_prefix: string, _unique: string): SetName {
  throw new Error('not written yet');
}

export function setTypeOf(_group: GroupId): ManagedType {
  throw new Error('not written yet');
}
