import type { Owner } from '@setkeeper/api';
import { type Family, formatIpv4, type GroupId, type Member, memberKey, parseGroupId } from '@setkeeper/ipset';
import type { ObjectChange } from '../model/change.ts';
import { HOSTS_GROUP } from '../model/group-of.ts';
import { isForHost } from '../model/host-pattern.ts';
import { keyParts } from '../model/object-text.ts';
import { objectKey } from '../model/objects.ts';
import { Batch } from './batch.ts';
import { EndpointGroups } from './endpoint-groups.ts';
import { locatedOwner } from './located-owner.ts';
import type { GroupDelta, Membership, MembershipDelta, OverrideEntry } from './membership.ts';
import type { MembershipOptions } from './membership-options.ts';
import { exceptionOf } from './net-override.ts';
import { ObjectGroups } from './object-groups.ts';
import { differences, GroupOverrides, throughOverrides } from './overrides.ts';

/** References documents of one generation: the groups that each names now, or null. */
type Named = Map<string, readonly GroupId[] | null>;

/** A tag or a port in a tag; null for the other kinds of groups. */
type EndpointGroup = { readonly tag: string; readonly port: string | undefined } | null;

/**
 * The membership of an agent, made for a million endpoints: what follows from profiles is derived, not stored. Overrides
 * lie over it, so that groups without any pay nothing for them.
 */
export class IndexedMembership implements Membership {
  readonly #options: MembershipOptions;
  readonly #endpoints = new EndpointGroups();
  readonly #objects = new ObjectGroups();
  readonly #references = new Map<string, readonly GroupId[]>();
  #overrides: ReadonlyMap<string, GroupOverrides> = new Map();
  #lastGroup: { readonly id: GroupId; readonly of: EndpointGroup } = { id: HOSTS_GROUP, of: null };

  constructor(options: MembershipOptions = {}) {
    this.#options = options;
  }

  apply(changes: readonly ObjectChange[]): MembershipDelta {
    const batch = new Batch();
    const named: Named = new Map();
    const atOnce = Number.POSITIVE_INFINITY;
    for (const change of changes) {
      if (isProfile(change)) toEnd(this.#setProfile(change, () => batch, atOnce));
      else this.#take(change, batch, named);
    }
    return this.#deltaOf(batch, named);
  }

  *applyInSlices(changes: readonly ObjectChange[], endpointsMax: number): Generator<MembershipDelta> {
    const named: Named = new Map();
    let batch = new Batch();
    for (const change of changes) {
      if (!isProfile(change)) {
        this.#take(change, batch, named);
        continue;
      }
      const steps = this.#setProfile(change, () => batch, endpointsMax);
      while (steps.next().done !== true) {
        yield this.#deltaOf(batch, new Map());
        batch = new Batch();
      }
    }
    yield this.#deltaOf(batch, named);
  }

  #deltaOf(batch: Batch, named: Named): MembershipDelta {
    const delta = batch.end(
      (group) => this.#isListed(group),
      (group) => this.isDefined(group),
    );
    const groups = this.#overrides.size === 0 ? delta.groups : delta.groups.flatMap((each) => this.#seen(each) ?? []);
    return { ...delta, groups, references: this.#settleReferences(named) };
  }

  setOverrides(overrides: readonly OverrideEntry[]): MembershipDelta {
    const before = this.#overrides;
    const after = new Map<string, GroupOverrides>();
    for (const [scope, entries] of Map.groupBy(overrides, ({ group, family }) => scopeOf(group, family))) {
      const [first] = entries;
      if (first !== undefined) after.set(scope, new GroupOverrides({ ...first, entries }));
    }
    const groups: GroupDelta[] = [];
    for (const scope of new Set([...before.keys(), ...after.keys()])) {
      const delta = this.#overridden(before.get(scope), after.get(scope));
      if (delta !== null) groups.push(delta);
    }
    this.#overrides = after;
    return { groups, definition: new Map(), listed: new Map(), references: new Map() };
  }

  isDefined(group: GroupId): boolean {
    const endpointGroup = this.#endpointGroupOf(group);
    return endpointGroup === null ? this.#objects.isListed(group) : this.#endpoints.isDefined(endpointGroup.tag);
  }

  *groups(): Generator<GroupId> {
    yield* this.#endpoints.groups();
    yield* this.#objects.groups();
  }

  count(group: GroupId, family: Family | null): number {
    const base = this.#baseCount(group, family);
    const overrides = this.#overrides.get(scopeOf(group, family));
    if (overrides === undefined) return base;
    if (overrides.reachesInside) return [...this.members(group, family)].length;
    let count = base;
    for (const key of overrides.keys()) {
      const was = this.#baseMember(group, family, key);
      const is = overrides.effective(key, was);
      count += (is === null ? 0 : 1) - (was === null ? 0 : 1);
    }
    return count;
  }

  has(group: GroupId, family: Family | null, member: Member): boolean {
    const overrides = this.#overrides.size === 0 ? undefined : this.#overrides.get(scopeOf(group, family));
    if (overrides === undefined) return this.#baseHas(group, family, member);
    const key = memberKey(member);
    return overrides.effective(key, this.#baseMember(group, family, key)) === member;
  }

  hasIpv4(group: GroupId, address: number): boolean {
    const of = this.#endpointGroupOf(group);
    if (of === null || of.port !== undefined || this.#overrides.has(scopeOf(group, 'inet'))) {
      return this.has(group, 'inet', formatIpv4(address) as Member);
    }
    return this.#endpoints.hasIpv4(of.tag, address);
  }

  members(group: GroupId, family: Family | null): Iterable<Member> {
    const overrides = this.#overrides.get(scopeOf(group, family));
    return overrides === undefined
      ? this.#baseMembers(group, family)
      : this.#overriddenMembers(group, family, overrides);
  }

  *#overriddenMembers(group: GroupId, family: Family | null, overrides: GroupOverrides): Generator<Member> {
    const overridden = new Set(overrides.keys());
    for (const key of overridden) {
      const member = overrides.effective(key, null);
      if (member !== null) yield member;
    }
    for (const base of this.#baseMembers(group, family)) {
      const key = memberKey(base);
      if (!overridden.has(key) && overrides.effective(key, base) !== null) yield base;
    }
  }

  owners(group: GroupId, family: Family | null, member: Member): readonly Owner[] {
    const overrides = this.#overrides.get(scopeOf(group, family));
    if (overrides !== undefined && !this.has(group, family, member)) return [];
    const { originOf } = this.#options;
    return [
      ...this.#baseOwners(group, family, member).map((owner) => locatedOwner(owner, originOf)),
      ...(overrides?.reasonsFor(member) ?? []).map(({ id }) => ({ source: 'overrides', override: id })),
    ];
  }

  groupsOfEndpoint(endpointId: string): readonly GroupId[] {
    return this.#endpoints.groupsOf(objectKey('endpoint', endpointId));
  }

  endpointsWithAddress(member: Member): readonly string[] {
    return this.#endpoints.withAddress(member);
  }

  endpointsIn(group: GroupId): number {
    const endpointGroup = this.#endpointGroupOf(group);
    return endpointGroup === null ? 0 : this.#endpoints.endpointsIn(endpointGroup.tag, endpointGroup.port);
  }

  profilesWith(tag: string): readonly string[] {
    return this.#endpoints.profilesWith(tag);
  }

  profilesNamed(): Iterable<string> {
    return this.#endpoints.profilesNamed();
  }

  endpointsOfProfile(profileId: string): number {
    return this.#endpoints.endpointsOfProfile(profileId);
  }

  /** What is stored at all: 0 once everything is deleted. */
  get size(): number {
    return this.#endpoints.size + this.#objects.size + this.#references.size;
  }

  #setProfile({ key, after }: ObjectChange, batchNow: () => Batch, endpointsMax: number): Generator<undefined, void> {
    const profile = after?.kind === 'profile' ? after : null;
    return this.#endpoints.setProfile(keyParts(key).id, profile, batchNow, endpointsMax);
  }

  /** Everything but profiles. */
  #take({ key, after, origin }: ObjectChange, batch: Batch, named: Named): void {
    const source = origin?.source ?? '';
    const { kind, id } = keyParts(key);
    switch (kind) {
      case 'endpoint':
        this.#endpoints.setEndpoint(key, after?.kind === kind ? after : null, source, batch);
        break;
      case 'network':
        this.#objects.setNetwork(id, after?.kind === kind ? after : null, source, batch);
        break;
      case 'list':
        this.#objects.setList(id, after?.kind === kind ? after : null, source, batch);
        break;
      case 'host':
        this.#objects.setHost(key, after?.kind === kind ? after : null, source, batch);
        break;
      case 'references': {
        const { host } = this.#options;
        const isHere = after?.kind === kind && (host === undefined || isForHost(after.hosts, host));
        named.set(id, isHere ? after.groups : null);
      }
    }
  }

  #settleReferences(
    named: ReadonlyMap<string, readonly GroupId[] | null>,
  ): ReadonlyMap<string, readonly GroupId[] | null> {
    const changed = new Map<string, readonly GroupId[] | null>();
    for (const [referrer, groups] of named) {
      const before = this.#references.get(referrer) ?? null;
      if (groups?.join('\n') === before?.join('\n')) continue;
      changed.set(referrer, groups);
      if (groups === null) this.#references.delete(referrer);
      else this.#references.set(referrer, groups);
    }
    return changed;
  }

  #isListed(group: GroupId): boolean {
    const endpointGroup = this.#endpointGroupOf(group);
    if (endpointGroup === null) return this.#objects.isListed(group);
    return this.#endpoints.isListed(endpointGroup.tag, endpointGroup.port);
  }

  #seen(delta: GroupDelta): GroupDelta | null {
    const overrides = this.#overrides.get(scopeOf(delta.group, delta.family));
    return overrides === undefined ? delta : throughOverrides(delta, overrides);
  }

  #overridden(before: GroupOverrides | undefined, after: GroupOverrides | undefined): GroupDelta | null {
    const some = after ?? before;
    if (some === undefined) return null;
    const { group, family } = some;
    const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
    if (before?.reachesInside === true || after?.reachesInside === true) {
      for (const member of this.#baseMembers(group, family)) keys.add(memberKey(member));
    }
    return differences(group, family, keys, (key) => {
      const base = this.#baseMember(group, family, key);
      return [
        before === undefined ? base : before.effective(key, base),
        after?.effective(key, base) ?? (after === undefined ? base : null),
      ];
    });
  }

  /** What the model itself says of a key. */
  #baseMember(group: GroupId, family: Family | null, key: string): Member | null {
    const member = key as Member;
    if (this.#baseHas(group, family, member)) return member;
    const exception = exceptionOf(key);
    return this.#baseHas(group, family, exception) ? exception : null;
  }

  #baseCount(group: GroupId, family: Family | null): number {
    const of = this.#endpointGroupOf(group);
    if (of === null) return this.#objects.count(group, family);
    return family === null ? 0 : this.#endpoints.count(of.tag, of.port, family);
  }

  #baseHas(group: GroupId, family: Family | null, member: Member): boolean {
    const of = this.#endpointGroupOf(group);
    if (of === null) return this.#objects.has(group, family, member);
    return family !== null && this.#endpoints.has(of.tag, of.port, family, member);
  }

  #baseMembers(group: GroupId, family: Family | null): Iterable<Member> {
    const of = this.#endpointGroupOf(group);
    if (of === null) return this.#objects.members(group, family);
    return family === null ? [] : this.#endpoints.members(of.tag, of.port, family);
  }

  /** Questions come in a row for one group: what it is need not be read from its id each time. */
  #endpointGroupOf(group: GroupId): EndpointGroup {
    if (this.#lastGroup.id !== group) this.#lastGroup = { id: group, of: endpointGroupOf(group) };
    return this.#lastGroup.of;
  }

  #baseOwners(group: GroupId, family: Family | null, member: Member): readonly Owner[] {
    const of = this.#endpointGroupOf(group);
    if (of === null) return this.#objects.owners(group, family, member);
    return family === null ? [] : this.#endpoints.owners(of.tag, of.port, family, member);
  }
}

const isProfile = ({ key }: ObjectChange): boolean => key.startsWith('profile/');

/** Takes all steps at once. */
function toEnd(steps: Generator<undefined, void>): void {
  while (steps.next().done !== true);
}

const scopeOf = (group: GroupId, family: Family | null): string => `${family} ${group}`;

function endpointGroupOf(group: GroupId): EndpointGroup {
  if (!group.startsWith('tag:') && !group.startsWith('port:')) return null;
  const parsed = parseGroupId(group);
  if (!parsed.ok) return null;
  return parsed.kind === 'port' ? { tag: parsed.tag ?? '', port: parsed.port } : { tag: parsed.name, port: undefined };
}
