import type { Owner } from '@setkeeper/api';
import type { Family, GroupId, Member } from '@setkeeper/ipset';
import type { ObjectChange } from '../model/change.ts';

/** An operator's exception on a group: its own owner, beats every source. `member` is canonical for the group's type. */
export interface OverrideEntry {
  readonly id: string;
  readonly kind: 'add' | 'exclude';
  readonly group: GroupId;
  readonly family: Family;
  readonly member: Member;
}

/** What really appeared in and disappeared from one group in one family: logical members, net of the batch. A list's members are group ids (family null). */
export interface GroupDelta {
  readonly group: GroupId;
  readonly family: Family | null;
  readonly appeared: ReadonlySet<Member>;
  readonly disappeared: ReadonlySet<Member>;
}

export interface MembershipDelta {
  readonly groups: readonly GroupDelta[];
  /** Groups that became defined or undefined. */
  readonly definition: ReadonlyMap<GroupId, boolean>;
  /** References documents that changed what they name here: referrer id -> groups now named. Absent: gone. */
  readonly references: ReadonlyMap<string, readonly GroupId[] | null>;
}

/** group -> member -> owners, both families. Pure; no I/O; a change costs O(change), never O(set). */
export interface Membership {
  /** Applies one generation; adds and removes of one member inside it cancel. */
  apply(changes: readonly ObjectChange[]): MembershipDelta;
  setOverrides(overrides: readonly OverrideEntry[]): MembershipDelta;
  isDefined(group: GroupId): boolean;
  groups(): Iterable<GroupId>;
  count(group: GroupId, family: Family | null): number;
  has(group: GroupId, family: Family | null, member: Member): boolean;
  /** In no order. */
  members(group: GroupId, family: Family | null): Iterable<Member>;
  owners(group: GroupId, family: Family | null, member: Member): readonly Owner[];
  groupsOfEndpoint(endpointId: string): readonly GroupId[];
  endpointsWithAddress(member: Member): readonly string[];
}
