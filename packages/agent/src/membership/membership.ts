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
  /** Groups that became defined or undefined (`isDefined`), and port groups that entered `groups()`. */
  readonly definition: ReadonlyMap<GroupId, boolean>;
  /** Groups that entered (true) or left (false) `groups()`. A port group leaves when no endpoint names its port any more, though it stays defined as long as its tag is. */
  readonly listed: ReadonlyMap<GroupId, boolean>;
  /** References documents that changed what they name here: referrer id -> groups now named. Null: gone, or no longer for this host. */
  readonly references: ReadonlyMap<string, readonly GroupId[] | null>;
}

/**
 * group -> member -> owners, both families. Pure; no I/O; a change costs O(change), never O(set).
 *
 * Any order of events gives the same result; repeating one changes nothing; a member leaves with its last owner only.
 * An exclude on a network also takes out the networks inside it, and stands as `nomatch`; exclude beats add.
 */
export interface Membership {
  /** Applies one generation; adds and removes of one member inside it cancel. */
  apply(changes: readonly ObjectChange[]): MembershipDelta;
  /**
   * The same in steps: a profile that very many endpoints have changes some `endpointsMax` of them at a time. After each
   * step everything that is asked gets the truth of that moment; nothing else may be applied until the last.
   */
  applyInSlices(changes: readonly ObjectChange[], endpointsMax: number): Iterable<MembershipDelta>;
  /** The whole list of overrides that now stand. Costs O(group) for each network group with a changed exclude. */
  setOverrides(overrides: readonly OverrideEntry[]): MembershipDelta;
  /** A tag: a profile carries it. A port: its tag is defined. A network or list: its object exists. `hosts:all`: there is a host. */
  isDefined(group: GroupId): boolean;
  /** Every group that the model speaks of: defined tags, networks, lists, hosts, and the ports that endpoints of a tag name. */
  groups(): Iterable<GroupId>;
  count(group: GroupId, family: Family | null): number;
  has(group: GroupId, family: Family | null, member: Member): boolean;
  /** `has` of a plain IPv4 address, an unsigned 32-bit number: for readings of a million elements, without a text for each. */
  hasIpv4(group: GroupId, address: number): boolean;
  /** In no order. */
  members(group: GroupId, family: Family | null): Iterable<Member>;
  owners(group: GroupId, family: Family | null, member: Member): readonly Owner[];
  /** The groups that an endpoint is in, sorted; none while it is not active. */
  groupsOfEndpoint(endpointId: string): readonly GroupId[];
  /** Active or not, sorted. */
  endpointsWithAddress(member: Member): readonly string[];
  /** How many active endpoints are in a tag or port group; 0 for other kinds. */
  endpointsIn(group: GroupId): number;
  /** The profiles that carry a tag, sorted. */
  profilesWith(tag: string): readonly string[];
  /** The profiles that endpoints name, whether anybody defines them or not, in no order. */
  profilesNamed(): Iterable<string>;
  /** How many endpoints name a profile, active or not. */
  endpointsOfProfile(profileId: string): number;
}
