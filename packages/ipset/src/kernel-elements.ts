import type { Member } from './member.ts';

export function kernelElements(_member: Member): readonly Member[] {
  throw new Error('not written yet');
}

/** Elements of a whole set of members; an explicit half wins over the half of a `/0`. */
export function expandMembers(_members: Iterable<Member>): Member[] {
  throw new Error('not written yet');
}

export function foldElements(_elements: Iterable<Member>): Member[] {
  throw new Error('not written yet');
}
