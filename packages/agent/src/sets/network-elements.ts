import {
  type Family,
  foldElements,
  type GroupId,
  isNomatch,
  kernelElements,
  type Member,
  memberKey,
} from '@setkeeper/ipset';
import type { GroupDelta, Membership } from '../membership/membership.ts';
import type { DesiredElements, ElementChange } from './desired-elements.ts';

/**
 * Networks: a `/0` is two halves, since a `hash:net` refuses it. A half that is wanted in its own right wins over the
 * half of a `/0`, so what becomes of the two halves is remembered and compared at each change.
 */
export class NetworkElements implements DesiredElements {
  readonly isPlain = false;
  readonly hasFlags = true;
  readonly #membership: Membership;
  readonly #group: GroupId;
  readonly #family: Family;
  readonly #whole: Member;
  readonly #halfKeys: readonly [Member, Member];
  #halves: readonly (Member | null)[] = [];

  constructor(membership: Membership, group: GroupId, family: Family) {
    this.#membership = membership;
    this.#group = group;
    this.#family = family;
    this.#whole = (family === 'inet' ? '0.0.0.0/0' : '::/0') as Member;
    const [first = this.#whole, second = this.#whole] = kernelElements(this.#whole);
    this.#halfKeys = [first, second];
    this.#halves = this.#halfKeys.map((key) => this.#halfNow(key));
  }

  get count(): number {
    const whole = this.#wholeNow() === null ? 0 : 1;
    const explicit = this.#halfKeys.filter((key) => this.#explicit(key) !== null).length;
    return this.members - whole - explicit + this.#halves.filter((half) => half !== null).length;
  }

  get members(): number {
    return this.#membership.count(this.#group, this.#family);
  }

  has(element: Member): boolean {
    const key = memberKey(element);
    if (key === this.#whole) return false;
    const half = this.#halfKeys.indexOf(key as Member);
    return half < 0 ? this.#wants(element) : this.#halves[half] === element;
  }

  *elements(): Iterable<Member> {
    for (const member of this.#membership.members(this.#group, this.#family)) {
      if (!this.#isSpecial(memberKey(member))) yield member;
    }
    for (const half of this.#halves) if (half !== null) yield half;
  }

  change(delta: GroupDelta): ElementChange {
    const appeared = [...delta.appeared].filter((member) => !this.#isSpecial(memberKey(member)));
    const disappeared = [...delta.disappeared].filter((member) => !this.#isSpecial(memberKey(member)));
    const before = this.#halves;
    this.#halves = this.#halfKeys.map((key) => this.#halfNow(key));
    for (const [i, now] of this.#halves.entries()) {
      const was = before[i] ?? null;
      if (was === now) continue;
      if (was !== null) disappeared.push(was);
      if (now !== null) appeared.push(now);
    }
    return { appeared, disappeared };
  }

  logical(element: Member): Member {
    if (!this.#halfKeys.some((key) => key === memberKey(element)) || this.#wants(element)) return element;
    const whole = this.#wholeNow();
    return whole !== null && isNomatch(whole) === isNomatch(element) ? whole : element;
  }

  logicalCount(elements: ReadonlySet<Member>): number {
    const halves = this.#halfKeys.flatMap((key) => [key, exception(key)].filter((half) => elements.has(half)));
    return elements.size - halves.length + foldElements(halves).length;
  }

  #isSpecial(key: string): boolean {
    return key === this.#whole || this.#halfKeys.some((half) => half === key);
  }

  #wants(member: Member): boolean {
    return this.#membership.has(this.#group, this.#family, member);
  }

  #explicit(key: Member): Member | null {
    if (this.#wants(key)) return key;
    return this.#wants(exception(key)) ? exception(key) : null;
  }

  #wholeNow(): Member | null {
    return this.#explicit(this.#whole);
  }

  #halfNow(key: Member): Member | null {
    const explicit = this.#explicit(key);
    if (explicit !== null) return explicit;
    const whole = this.#wholeNow();
    if (whole === null) return null;
    return isNomatch(whole) ? exception(key) : key;
  }
}

const exception = (key: Member): Member => `${key} nomatch` as Member;
