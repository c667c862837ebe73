import type { Member } from '@setkeeper/ipset';
import type { GroupDelta } from '../membership/membership.ts';

/** What a change of members means for kernel elements, net of it. */
export interface ElementChange {
  readonly appeared: Iterable<Member>;
  readonly disappeared: Iterable<Member>;
}

/**
 * What a managed set should hold, as the kernel's own elements. The model speaks of logical members; most are one
 * element, but `0.0.0.0/0` is two halves and a list's group is one set a family (KERNEL.md sections 5 and 6).
 * It is a view of the membership and holds no copy of it.
 */
export interface DesiredElements {
  /** Kernel elements. O(1). */
  readonly count: number;
  /** Whether each member is one element: counts of the two are the same. */
  readonly isPlain: boolean;
  /** Whether elements carry a flag (`nomatch`) that an add can turn around. */
  readonly hasFlags: boolean;
  /** Logical members. O(1). */
  readonly members: number;
  has(element: Member): boolean;
  /** `has` of a plain IPv4 address, an unsigned 32-bit number; not there where elements are no plain addresses. */
  hasIpv4?(address: number): boolean;
  /** In no order. */
  elements(): Iterable<Member>;
  /** To be asked once for each change of the membership, after it was applied. O(change). */
  change(delta: GroupDelta): ElementChange;
  /** The logical member that an element is (part of). */
  logical(element: Member): Member;
  /** How many logical members some elements are. O(1) where the two are the same, else O(elements). */
  logicalCount(elements: ReadonlySet<Member>): number;
}
