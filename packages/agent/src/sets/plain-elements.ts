import type { Family, GroupId, Member } from '@setkeeper/ipset';
import type { GroupDelta, Membership } from '../membership/membership.ts';
import type { DesiredElements, ElementChange } from './desired-elements.ts';

/** Tags, ports and hosts: each member is one element. */
export class PlainElements implements DesiredElements {
  readonly isPlain = true;
  readonly hasFlags = false;
  readonly #membership: Membership;
  readonly #group: GroupId;
  readonly #family: Family;

  constructor(membership: Membership, group: GroupId, family: Family) {
    this.#membership = membership;
    this.#group = group;
    this.#family = family;
  }

  get count(): number {
    return this.#membership.count(this.#group, this.#family);
  }

  get members(): number {
    return this.count;
  }

  has(element: Member): boolean {
    return this.#membership.has(this.#group, this.#family, element);
  }

  hasIpv4(address: number): boolean {
    return this.#family === 'inet' && this.#membership.hasIpv4(this.#group, address);
  }

  elements(): Iterable<Member> {
    return this.#membership.members(this.#group, this.#family);
  }

  change(delta: GroupDelta): ElementChange {
    return delta;
  }

  logical(element: Member): Member {
    return element;
  }

  logicalCount(elements: ReadonlySet<Member>): number {
    return elements.size;
  }
}
