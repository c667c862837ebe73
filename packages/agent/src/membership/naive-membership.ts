import type { Owner } from '@setkeeper/api';
import {
  type Family,
  formatIpv4,
  type GroupId,
  isNomatch,
  type Member,
  memberKey,
  parseGroupId,
} from '@setkeeper/ipset';
import type { ObjectChange } from '../model/change.ts';
import { HOSTS_GROUP, listGroup, networkGroup, portGroup, tagGroup } from '../model/group-of.ts';
import { isForHost } from '../model/host-pattern.ts';
import { type Endpoint, type ModelObject, type ObjectKey, objectKey } from '../model/objects.ts';
import { locatedOwner } from './located-owner.ts';
import type { GroupDelta, Membership, MembershipDelta, OverrideEntry } from './membership.ts';
import type { MembershipOptions } from './membership-options.ts';
import { exceptionOf, isInside, rangeOf } from './net-override.ts';

/** One reason for one member. */
interface Contribution {
  readonly group: GroupId;
  readonly family: Family | null;
  readonly member: Member;
  readonly ownerId: string;
  readonly owner: Owner;
}

/** What the model says of one member: whether it is an exception, and who wants it. */
interface Slot {
  readonly member: Member;
  readonly owners: Map<string, Owner>;
}

/**
 * Membership written to be too simple to be wrong: every reason for every member is an entry of a map. It is the oracle
 * of the indexed one in tests; no agent runs it.
 */
export class NaiveMembership implements Membership {
  readonly #options: MembershipOptions;
  readonly #objects = new Map<ObjectKey, { readonly object: ModelObject; readonly source: string }>();
  readonly #slots = new Map<string, Map<string, Slot>>();
  readonly #endpointsByProfile = new Map<string, Set<string>>();
  readonly #references = new Map<string, readonly GroupId[]>();
  #overrides: readonly OverrideEntry[] = [];

  constructor(options: MembershipOptions = {}) {
    this.#options = options;
  }

  *applyInSlices(changes: readonly ObjectChange[]): Generator<MembershipDelta> {
    yield this.apply(changes);
  }

  apply(changes: readonly ObjectChange[]): MembershipDelta {
    const named = new Map<string, readonly GroupId[] | null>();
    const delta = this.#watched((touch) => {
      for (const { key, after, origin } of changes) {
        const before = this.#objects.get(key);
        for (const each of this.#contributionsOf(before?.object ?? null, before?.source ?? '')) {
          touch(each.group, each.family, memberKey(each.member));
          this.#remove(each);
        }
        this.#link(before?.object ?? null, false);
        if (after === null) this.#objects.delete(key);
        else this.#objects.set(key, { object: after, source: origin?.source ?? '' });
        this.#link(after, true);
        for (const each of this.#contributionsOf(after, origin?.source ?? '')) {
          touch(each.group, each.family, memberKey(each.member));
          this.#add(each);
        }
        this.#name(before?.object ?? null, after, named);
      }
    });
    for (const [referrer, groups] of named) {
      const before = this.#references.get(referrer) ?? null;
      if (groups?.join('\n') === before?.join('\n')) named.delete(referrer);
      if (groups === null) this.#references.delete(referrer);
      else this.#references.set(referrer, groups);
    }
    return { ...delta, references: named };
  }

  setOverrides(overrides: readonly OverrideEntry[]): MembershipDelta {
    const delta = this.#watched((touch) => {
      for (const { kind, group, family, member } of [...this.#overrides, ...overrides]) {
        touch(group, family, memberKey(member));
        if (kind !== 'exclude') continue;
        for (const inside of this.#slots.get(`${family} ${group}`)?.keys() ?? []) touch(group, family, inside);
      }
      this.#overrides = overrides;
    });
    return { ...delta, references: new Map() };
  }

  isDefined(group: GroupId): boolean {
    const parsed = parseGroupId(group);
    if (!parsed.ok) return false;
    switch (parsed.kind) {
      case 'tag':
        return this.profilesWith(parsed.name).length > 0;
      case 'port':
        return this.profilesWith(parsed.tag ?? '').length > 0;
      case 'net':
        return this.#objects.has(objectKey('network', parsed.name));
      case 'list':
        return this.#objects.has(objectKey('list', parsed.name));
      case 'hosts':
        return [...this.#objects.keys()].some((key) => key.startsWith('host/'));
    }
  }

  groups(): Iterable<GroupId> {
    const found = new Set<GroupId>();
    for (const { object } of this.#objects.values()) {
      if (object.kind === 'profile') for (const tag of object.tags) found.add(tagGroup(tag));
      if (object.kind === 'network') found.add(networkGroup(object.id));
      if (object.kind === 'list') found.add(listGroup(object.id));
      if (object.kind === 'host') found.add(HOSTS_GROUP);
      if (object.kind !== 'endpoint') continue;
      for (const group of this.#groupsOf(object)) found.add(group);
    }
    return found;
  }

  count(group: GroupId, family: Family | null): number {
    return [...this.members(group, family)].length;
  }

  has(group: GroupId, family: Family | null, member: Member): boolean {
    return this.#effective(group, family, memberKey(member)) === member;
  }

  hasIpv4(group: GroupId, address: number): boolean {
    return this.has(group, 'inet', formatIpv4(address) as Member);
  }

  *members(group: GroupId, family: Family | null): Iterable<Member> {
    const keys = new Set(this.#slots.get(`${family} ${group}`)?.keys());
    for (const entry of this.#overrides) {
      if (entry.group === group && entry.family === family) keys.add(memberKey(entry.member));
    }
    for (const key of keys) {
      const member = this.#effective(group, family, key);
      if (member !== null) yield member;
    }
  }

  owners(group: GroupId, family: Family | null, member: Member): readonly Owner[] {
    if (!this.has(group, family, member)) return [];
    const slot = this.#slots.get(`${family} ${group}`)?.get(memberKey(member));
    const isOwned = slot !== undefined && slot.member === member;
    const wanted = isNomatch(member) ? 'exclude' : 'add';
    return [
      ...(isOwned ? slot.owners.values().map((owner) => locatedOwner(owner, this.#options.originOf)) : []),
      ...this.#overridesOf(group, family, memberKey(member))
        .filter(({ kind }) => kind === wanted)
        .map(({ id }) => ({ source: 'overrides', override: id })),
    ];
  }

  groupsOfEndpoint(endpointId: string): readonly GroupId[] {
    const endpoint = this.#objects.get(objectKey('endpoint', endpointId))?.object;
    return endpoint?.kind === 'endpoint' && endpoint.active ? [...this.#groupsOf(endpoint)].sort() : [];
  }

  endpointsWithAddress(member: Member): readonly string[] {
    return this.#endpoints()
      .filter(({ ipv4, ipv6 }) => ipv4.includes(member) || ipv6.includes(member))
      .map(({ id }) => id)
      .sort();
  }

  endpointsIn(group: GroupId): number {
    return this.#endpoints().filter((endpoint) => endpoint.active && this.#groupsOf(endpoint).has(group)).length;
  }

  profilesWith(tag: string): readonly string[] {
    const found: string[] = [];
    for (const { object } of this.#objects.values()) {
      if (object.kind === 'profile' && object.tags.includes(tag)) found.push(object.id);
    }
    return found.sort();
  }

  profilesNamed(): Iterable<string> {
    return this.#endpointsByProfile.keys();
  }

  endpointsOfProfile(profileId: string): number {
    return this.#endpointsByProfile.get(profileId)?.size ?? 0;
  }

  /** Entries that nothing explains any more would be seen here: 0 once everything is deleted. */
  get size(): number {
    return this.#objects.size + this.#slots.size + this.#endpointsByProfile.size + this.#references.size;
  }

  #endpoints(): readonly Endpoint[] {
    return [...this.#objects.values()].map(({ object }) => object).filter((object) => object.kind === 'endpoint');
  }

  #tagsOf(profileId: string): readonly string[] {
    const profile = this.#objects.get(objectKey('profile', profileId))?.object;
    return profile?.kind === 'profile' ? profile.tags : [];
  }

  #groupsOf(endpoint: Endpoint): Set<GroupId> {
    const groups = new Set<GroupId>();
    for (const tag of endpoint.profiles.flatMap((profile) => this.#tagsOf(profile))) {
      groups.add(tagGroup(tag));
      for (const port of endpoint.ports.keys()) groups.add(portGroup(tag, port));
    }
    return groups;
  }

  #link(object: ModelObject | null, isThere: boolean): void {
    if (object?.kind !== 'endpoint') return;
    for (const profile of object.profiles) {
      const linked = this.#endpointsByProfile.get(profile) ?? new Set();
      if (isThere) linked.add(object.id);
      else linked.delete(object.id);
      if (linked.size === 0) this.#endpointsByProfile.delete(profile);
      else this.#endpointsByProfile.set(profile, linked);
    }
  }

  #name(before: ModelObject | null, after: ModelObject | null, named: Map<string, readonly GroupId[] | null>): void {
    if (before?.kind === 'references') named.set(before.id, null);
    if (after?.kind !== 'references') return;
    const { host } = this.#options;
    const isHere = host === undefined || isForHost(after.hosts, host);
    named.set(after.id, isHere ? after.groups : null);
  }

  #contributionsOf(object: ModelObject | null, source: string): readonly Contribution[] {
    switch (object?.kind) {
      case undefined:
      case 'references':
        return [];
      case 'profile':
        return [...(this.#endpointsByProfile.get(object.id) ?? [])].flatMap((id) => {
          const stored = this.#objects.get(objectKey('endpoint', id));
          return stored?.object.kind === 'endpoint'
            ? this.#throughProfile(stored.object, object.id, object.tags, stored.source)
            : [];
        });
      case 'endpoint':
        return [...new Set(object.profiles)].flatMap((id) =>
          this.#throughProfile(object, id, this.#tagsOf(id), source),
        );
      case 'network': {
        const group = networkGroup(object.id);
        const families: readonly Family[] = ['inet', 'inet6'];
        return families.flatMap((family) =>
          [...object.nets[family], ...object.except[family]].map((member) =>
            this.#ofObject(group, family, member, source, objectKey('network', object.id)),
          ),
        );
      }
      case 'list':
        return object.members.map((member) =>
          this.#ofObject(listGroup(object.id), null, memberOfGroup(member), source, objectKey('list', object.id)),
        );
      case 'host': {
        const key = objectKey('host', object.id);
        return [
          ...(object.ipv4 === null ? [] : [this.#ofObject(HOSTS_GROUP, 'inet', object.ipv4, source, key)]),
          ...(object.ipv6 === null ? [] : [this.#ofObject(HOSTS_GROUP, 'inet6', object.ipv6, source, key)]),
        ];
      }
    }
  }

  #ofObject(group: GroupId, family: Family | null, member: Member, source: string, key: ObjectKey): Contribution {
    return { group, family, member, ownerId: key, owner: { source, object: key } };
  }

  #throughProfile(endpoint: Endpoint, profile: string, tags: readonly string[], source: string): Contribution[] {
    if (!endpoint.active) return [];
    const owner = { source, profile, endpoint: endpoint.id };
    const ownerId = `${profile}\n${endpoint.id}`;
    const out: Contribution[] = [];
    for (const tag of new Set(tags)) {
      for (const family of ['inet', 'inet6'] as const) {
        for (const member of family === 'inet' ? endpoint.ipv4 : endpoint.ipv6) {
          out.push({ group: tagGroup(tag), family, member, ownerId, owner });
          for (const [name, { protocol, port }] of endpoint.ports) {
            const withPort = `${member},${protocol}:${port}` as Member;
            out.push({ group: portGroup(tag, name), family, member: withPort, ownerId, owner });
          }
        }
      }
    }
    return out;
  }

  #add({ group, family, member, ownerId, owner }: Contribution): void {
    const scope = `${family} ${group}`;
    const slots = this.#slots.get(scope) ?? new Map<string, Slot>();
    this.#slots.set(scope, slots);
    const key = memberKey(member);
    const slot = slots.get(key) ?? { member, owners: new Map() };
    slots.set(key, slot);
    slot.owners.set(ownerId, owner);
  }

  #remove({ group, family, member, ownerId }: Contribution): void {
    const scope = `${family} ${group}`;
    const slots = this.#slots.get(scope);
    const slot = slots?.get(memberKey(member));
    if (slots === undefined || slot === undefined) return;
    slot.owners.delete(ownerId);
    if (slot.owners.size === 0) slots.delete(memberKey(member));
    if (slots.size === 0) this.#slots.delete(scope);
  }

  #overridesOf(group: GroupId, family: Family | null, key: string): readonly OverrideEntry[] {
    return this.#overrides.filter(
      (entry) => entry.group === group && entry.family === family && memberKey(entry.member) === key,
    );
  }

  /** The member that stands for a key, after the overrides; null for none. */
  #effective(group: GroupId, family: Family | null, key: string): Member | null {
    const isNet = group.startsWith('net:');
    const own = this.#overridesOf(group, family, key);
    if (own.some(({ kind }) => kind === 'exclude')) return isNet ? exceptionOf(key) : null;
    if (own.length > 0) return key as Member;
    const slot = this.#slots.get(`${family} ${group}`)?.get(key);
    if (slot === undefined) return null;
    if (!isNet || isNomatch(slot.member)) return slot.member;
    const range = rangeOf(slot.member);
    const isTakenOut = this.#overrides.some((entry) => {
      if (entry.kind !== 'exclude' || entry.group !== group || entry.family !== family) return false;
      const outer = rangeOf(entry.member);
      return range !== undefined && outer !== undefined && isInside(range, outer);
    });
    return isTakenOut ? null : slot.member;
  }

  /** Runs a change and tells what it did to every member it touched, and to the groups. */
  #watched(
    change: (touch: (group: GroupId, family: Family | null, key: string) => void) => void,
  ): Omit<MembershipDelta, 'references'> {
    const before = new Map<
      string,
      { readonly group: GroupId; readonly family: Family | null; readonly members: Map<string, Member | null> }
    >();
    const listedBefore = new Set(this.groups());
    const definedBefore = new Set([...listedBefore].filter((group) => this.isDefined(group)));
    change((group, family, key) => {
      const scope = `${family} ${group}`;
      const touched = before.get(scope) ?? { group, family, members: new Map() };
      before.set(scope, touched);
      if (!touched.members.has(key)) touched.members.set(key, this.#effective(group, family, key));
    });
    const groups: GroupDelta[] = [];
    for (const { group, family, members } of before.values()) {
      const appeared = new Set<Member>();
      const disappeared = new Set<Member>();
      for (const [key, was] of members) {
        const is = this.#effective(group, family, key);
        if (is === was) continue;
        if (was !== null) disappeared.add(was);
        if (is !== null) appeared.add(is);
      }
      if (appeared.size + disappeared.size > 0) groups.push({ group, family, appeared, disappeared });
    }
    const listedAfter = new Set(this.groups());
    const listed = new Map<GroupId, boolean>();
    const definition = new Map<GroupId, boolean>();
    for (const group of listedAfter) if (!listedBefore.has(group)) listed.set(group, true);
    for (const group of listedBefore) if (!listedAfter.has(group)) listed.set(group, false);
    for (const [group, isListed] of listed) {
      if (isListed) definition.set(group, true);
      else if (definedBefore.has(group) && !this.isDefined(group)) definition.set(group, false);
    }
    return { groups, definition, listed };
  }
}

/** A list's member is the group itself. */
const memberOfGroup = (group: GroupId): Member => group as string as Member;
