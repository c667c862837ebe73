import { isNomatch, type Member, memberKey, NOMATCH } from './member.ts';

/**
 * The elements that a member is in the kernel: itself, or two halves for `0.0.0.0/0` and `::/0`, which a `hash:net`
 * refuses (measured: "The value of the CIDR parameter of the IP address is invalid"). The halves carry its `nomatch`.
 *
 * A half can be wanted in its own right beside the whole, so a delta of a set that holds a `/0` has to be taken between
 * elements (`expandMembers` of before and after), never member by member: taking out `0.0.0.0/0` must not take out a
 * `0.0.0.0/1` that stays wanted.
 */
export function kernelElements(member: Member): readonly Member[] {
  const halves = HALVES.get(memberKey(member));
  if (halves === undefined) return [member];
  return isNomatch(member) ? halves.map((half) => (half + NOMATCH) as Member) : halves;
}

/**
 * The elements of all members of a set, each key once. A half that is a member itself wins over the half of a `/0`, as
 * the longer prefix would in the kernel if it could hold both. O(n).
 */
export function expandMembers(members: Iterable<Member>): Member[] {
  const elements = new Map<string, Member>();
  const wholes: Member[] = [];
  for (const member of members) {
    if (HALVES.has(memberKey(member))) wholes.push(member);
    else elements.set(memberKey(member), member);
  }
  for (const half of wholes.flatMap(kernelElements)) {
    if (!elements.has(memberKey(half))) elements.set(memberKey(half), half);
  }
  return [...elements.values()];
}

/**
 * Elements as members for a reader: where both halves of a family stand in a set with the same flag, they are shown as
 * one `/0` in the place of the first. Two halves that were wanted one by one fold too: they mean the same. O(n).
 */
export function foldElements(elements: Iterable<Member>): Member[] {
  const members = Array.from(elements);
  const present = new Set(members.filter((member) => HALF_OF.has(memberKey(member))));
  if (present.size < 2) return members;
  return members.flatMap((member) => {
    const whole = HALF_OF.get(memberKey(member));
    if (whole === undefined) return [member];
    const flag = isNomatch(member) ? NOMATCH : '';
    const folded = (whole.whole + flag) as Member;
    if (!kernelElements(folded).every((half) => present.has(half))) return [member];
    return whole.isFirst ? [folded] : [];
  });
}

const half = (text: string): Member => text as Member;

const HALVES: ReadonlyMap<string, readonly [Member, Member]> = new Map([
  ['0.0.0.0/0', [half('0.0.0.0/1'), half('128.0.0.0/1')]],
  ['::/0', [half('::/1'), half('8000::/1')]],
]);

interface HalfOf {
  readonly whole: string;
  readonly isFirst: boolean;
}

const HALF_OF: ReadonlyMap<string, HalfOf> = new Map(
  Array.from(HALVES).flatMap(([whole, [first, second]]): [string, HalfOf][] => [
    [first, { whole, isFirst: true }],
    [second, { whole, isFirst: false }],
  ]),
);
