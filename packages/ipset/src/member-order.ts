import type { Member } from './member.ts';

export function compareMembers(_a: Member, _b: Member): number {
  throw new Error('not written yet');
}

/** A new sorted array in the order of `compareMembers`, made for a million members. */
export function sortMembers(_members: Iterable<Member>): Member[] {
  throw new Error('not written yet');
}
