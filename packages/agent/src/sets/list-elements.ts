import type { Family, GroupId, Member, SetName } from '@setkeeper/ipset';
import type { GroupDelta, Membership } from '../membership/membership.ts';
import type { DesiredElements, ElementChange } from './desired-elements.ts';

/** The kernel name of a group's set in a family. */
export type NameOf = (group: GroupId, family: Family) => SetName;

/** Lists: a member is a group, and in the kernel its set of every configured family. */
export class ListElements implements DesiredElements {
  readonly isPlain = false;
  readonly hasFlags = false;
  readonly #membership: Membership;
  readonly #group: GroupId;
  readonly #families: readonly Family[];
  readonly #nameOf: NameOf;
  readonly #groupOf = new Map<Member, Member>();
  /** Names of groups that left stay known: they may still be in the kernel, and are shown as their group. */
  readonly #formerGroupOf = new Map<Member, Member>();

  constructor(membership: Membership, group: GroupId, families: readonly Family[], nameOf: NameOf) {
    this.#membership = membership;
    this.#group = group;
    this.#families = families;
    this.#nameOf = nameOf;
    for (const member of membership.members(group, null)) this.#enter(member);
  }

  get count(): number {
    return this.#groupOf.size;
  }

  get members(): number {
    return this.#membership.count(this.#group, null);
  }

  has(element: Member): boolean {
    return this.#groupOf.has(element);
  }

  elements(): Iterable<Member> {
    return this.#groupOf.keys();
  }

  change(delta: GroupDelta): ElementChange {
    const disappeared = [...delta.disappeared].flatMap((member) => this.#leave(member));
    const appeared = [...delta.appeared].flatMap((member) => this.#enter(member));
    return { appeared, disappeared };
  }

  logical(element: Member): Member {
    return this.#groupOf.get(element) ?? this.#formerGroupOf.get(element) ?? element;
  }

  logicalCount(elements: ReadonlySet<Member>): number {
    return new Set([...elements].map((element) => this.logical(element))).size;
  }

  #names(member: Member): readonly Member[] {
    const group = member as string as GroupId;
    return this.#families.map((family) => this.#nameOf(group, family) as string as Member);
  }

  #enter(member: Member): readonly Member[] {
    const names = this.#names(member);
    for (const name of names) this.#groupOf.set(name, member);
    return names;
  }

  #leave(member: Member): readonly Member[] {
    const names = this.#names(member);
    for (const name of names) {
      this.#groupOf.delete(name);
      this.#formerGroupOf.set(name, member);
    }
    return names;
  }
}
