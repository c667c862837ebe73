import type { Owner } from '@setkeeper/api';
import type { Family, GroupId, Member } from '@setkeeper/ipset';
import { tagGroup } from '../model/group-of.ts';
import type { Endpoint, ObjectKey, Profile } from '../model/objects.ts';
import { AddressOwners } from './address-owners.ts';
import type { Batch } from './batch.ts';
import { classKeyOf, EndpointClass, memberWithPort, PortEntry, ProfileEntry, TagEntry } from './endpoint-class.ts';
import { EndpointTable } from './endpoint-table.ts';
import { familyOfAddress, type MemberToken, memberOf, splitMember, tokenOf } from './member-token.ts';

/** A tag, or a port in a tag, as a question: the suffix tells the members of a port group. */
type Place = TagEntry | PortEntry;

/**
 * The groups that endpoints are in through their profiles: tags and ports. A member of a tag is not stored: an address
 * is in a tag if one of its endpoints has a profile that carries it. Only counts are kept.
 */
export class EndpointGroups {
  readonly #profiles = new Map<string, ProfileEntry>();
  readonly #tags = new Map<string, TagEntry>();
  readonly #classes = new Map<string, EndpointClass>();
  readonly #table = new EndpointTable();
  readonly #owners = new AddressOwners();

  setEndpoint(key: ObjectKey, endpoint: Endpoint | null, source: string, batch: Batch): void {
    const number = this.#table.numberOf(key);
    if (endpoint === null) {
      if (number >= 0) this.#removeEndpoint(number, batch);
      return;
    }
    const addresses = addressesIn(endpoint);
    if (number >= 0) {
      if (this.#isSame(number, endpoint, addresses)) {
        this.#table.setSource(number, source);
        return;
      }
      this.#removeEndpoint(number, batch);
    }
    const endpointClass = this.#classFor(endpoint, batch);
    const added = this.#table.add(key, endpointClass, addresses, source);
    for (const address of addresses) {
      if (endpointClass.isActive) this.#step(endpointClass, endpointClass.tags, address, 1, batch);
      this.#owners.add(address, added);
    }
  }

  /**
   * A profile appears, changes or goes. Yields after every `endpointsMax` endpoints whose tags changed: everything that
   * is asked in between gets the truth of that moment, and nothing else may change until it is done. `batch` is asked anew
   * after each yield.
   */
  *setProfile(
    id: string,
    profile: Profile | null,
    batchNow: () => Batch,
    endpointsMax: number,
  ): Generator<undefined, void> {
    const batch = batchNow();
    const entry = this.#profiles.get(id) ?? new ProfileEntry(id);
    this.#profiles.set(id, entry);
    const before = new Set(entry.tags ?? []);
    const tags = profile === null ? null : [...new Set(profile.tags)].map((tag) => this.#tagFor(tag));
    const after = new Set(tags ?? []);
    for (const tag of after) if (!before.has(tag)) this.#carry(tag, entry, batch);
    entry.tags = tags;
    for (const endpointClass of [...entry.classes]) {
      if (endpointClass.endpoints.length <= endpointsMax || !endpointClass.isActive) {
        this.#retag(endpointClass, endpointClass.tagsNow(), batchNow());
      } else yield* this.#succeed(endpointClass, batchNow, endpointsMax);
    }
    for (const tag of before) if (!after.has(tag)) this.#drop(tag, entry, batchNow());
    this.#forgetProfile(entry);
  }

  isDefined(tag: string): boolean {
    return this.#tags.has(tag);
  }

  /** Whether endpoints of the tag name the port, or (without a port) whether the tag is defined. */
  isListed(tag: string, port: string | undefined): boolean {
    const entry = this.#tags.get(tag);
    return entry !== undefined && (port === undefined || entry.ports.has(port));
  }

  *groups(): Generator<GroupId> {
    for (const tag of this.#tags.values()) {
      yield tag.group;
      for (const port of tag.ports.values()) yield port.group;
    }
  }

  count(tag: string, port: string | undefined, family: Family): number {
    return this.#placeOf(tag, port)?.counts[family] ?? 0;
  }

  has(tag: string, port: string | undefined, family: Family, member: Member): boolean {
    const entry = this.#tags.get(tag);
    const place = splitMember(port, family, member);
    return entry !== undefined && place !== null && this.#isMember(place.address, entry, port, place.suffix);
  }

  /** `has` of a tag's plain IPv4 address. */
  hasIpv4(tag: string, address: number): boolean {
    const entry = this.#tags.get(tag);
    return entry !== undefined && this.#isMember(address, entry, undefined, '');
  }

  *members(tag: string, port: string | undefined, family: Family): Generator<Member> {
    const tagEntry = this.#tags.get(tag);
    const place = this.#placeOf(tag, port);
    if (tagEntry === undefined || place === undefined) return;
    for (const endpointClass of place.classes) {
      if (!endpointClass.isActive) continue;
      const suffix = port === undefined ? '' : endpointClass.suffixOf(port);
      if (suffix === undefined) continue;
      for (let at = 0; at < endpointClass.endpoints.length; at++) {
        const number = endpointClass.endpoints.at(at);
        for (const address of this.#table.addressesOf(number)) {
          if (familyOfAddress(address) !== family) continue;
          if (this.#owners.single(address) >= 0 || this.#isFirst(number, address, tagEntry, port, suffix)) {
            yield suffix === '' ? memberOf(address) : memberWithPort(address, suffix);
          }
        }
      }
    }
  }

  owners(tag: string, port: string | undefined, family: Family, member: Member): readonly Owner[] {
    const entry = this.#tags.get(tag);
    if (entry === undefined) return [];
    return this.#ownersIn(tag, port, family, member).flatMap((number) => {
      const profiles = this.#table.classOf(number)?.profiles ?? [];
      const through = profiles.filter((profile) => entry.profiles.has(profile));
      const source = this.#table.sourceOf(number);
      return through.map((profile) => ({ source, profile: profile.id, endpoint: this.#table.idOf(number) }));
    });
  }

  groupsOf(key: ObjectKey): readonly GroupId[] {
    const endpointClass = this.#table.classOf(this.#table.numberOf(key));
    if (endpointClass === null || !endpointClass.isActive) return [];
    const groups: GroupId[] = [];
    for (const tag of endpointClass.tags) {
      groups.push(tag.group);
      for (const { name } of endpointClass.ports) groups.push(tag.ports.get(name)?.group ?? tag.group);
    }
    return groups.sort();
  }

  withAddress(member: Member): readonly string[] {
    return this.#owners
      .all(tokenOf(member))
      .map((number) => this.#table.idOf(number))
      .sort();
  }

  endpointsIn(tag: string, port: string | undefined): number {
    let count = 0;
    for (const { isActive, endpoints } of this.#placeOf(tag, port)?.classes ?? []) {
      if (isActive) count += endpoints.length;
    }
    return count;
  }

  profilesWith(tag: string): readonly string[] {
    return [...(this.#tags.get(tag)?.profiles ?? [])].map(({ id }) => id).sort();
  }

  *profilesNamed(): Generator<string> {
    for (const { id, classes } of this.#profiles.values()) if (classes.size > 0) yield id;
  }

  endpointsOfProfile(id: string): number {
    let count = 0;
    for (const { endpoints } of this.#profiles.get(id)?.classes ?? []) count += endpoints.length;
    return count;
  }

  /** What is stored at all: 0 once everything is deleted. */
  get size(): number {
    return this.#profiles.size + this.#tags.size + this.#classes.size + this.#table.size + this.#owners.size;
  }

  #placeOf(tag: string, port: string | undefined): Place | undefined {
    const entry = this.#tags.get(tag);
    return port === undefined ? entry : entry?.ports.get(port);
  }

  /** The active endpoints that hold a member in a group. */
  #ownersIn(tag: string, port: string | undefined, family: Family, member: Member): readonly number[] {
    const entry = this.#tags.get(tag);
    const place = splitMember(port, family, member);
    if (entry === undefined || place === null) return [];
    return this.#owners.all(place.address).filter((number) => this.#holds(number, entry, port, place.suffix));
  }

  #isMember(address: MemberToken, tag: TagEntry, port: string | undefined, suffix: string): boolean {
    const number = this.#owners.single(address);
    if (number >= 0) return this.#holds(number, tag, port, suffix);
    return number !== -1 && this.#isHeld(this.#owners.all(address), tag, port, suffix);
  }

  /** Whether an endpoint is a reason for its address in a tag, or for its address and this port in a port group. */
  #holds(number: number, tag: TagEntry, port: string | undefined, suffix: string): boolean {
    const endpointClass = this.#table.classOf(number);
    if (endpointClass === null || !endpointClass.isActive || !endpointClass.tags.has(tag)) return false;
    return port === undefined || endpointClass.suffixOf(port) === suffix;
  }

  /** Of several endpoints that hold one member, one stands for all of them. */
  #isFirst(number: number, address: MemberToken, tag: TagEntry, port: string | undefined, suffix: string): boolean {
    return this.#owners.all(address).find((each) => this.#holds(each, tag, port, suffix)) === number;
  }

  #isSame(number: number, endpoint: Endpoint, addresses: readonly MemberToken[]): boolean {
    if (this.#table.classOf(number)?.key !== classKeyOf(endpoint)) return false;
    const before = this.#table.addressesOf(number);
    return before.length === addresses.length && before.every((address, index) => address === addresses[index]);
  }

  #removeEndpoint(number: number, batch: Batch): void {
    const endpointClass = this.#table.classOf(number);
    if (endpointClass === null) return;
    for (const address of this.#table.addressesOf(number)) {
      this.#owners.remove(address, number);
      if (endpointClass.isActive) this.#step(endpointClass, endpointClass.tags, address, -1, batch);
    }
    this.#table.remove(number);
    if (endpointClass.endpoints.length === 0) this.#forgetClass(endpointClass, batch);
  }

  /**
   * An address comes with (1) or went with (-1) an endpoint of a class: into or out of every group in which nobody else
   * holds it. `except`: a class whose endpoints do not count, because they all take this step.
   */
  #step(
    { ports }: EndpointClass,
    tags: Iterable<TagEntry>,
    address: MemberToken,
    by: 1 | -1,
    batch: Batch,
    except: EndpointClass | null = null,
  ): void {
    this.#stepBeside(this.#othersWith(address, except), ports, tags, address, by, batch);
  }

  #stepBeside(
    others: readonly number[],
    ports: EndpointClass['ports'],
    tags: Iterable<TagEntry>,
    address: MemberToken,
    by: 1 | -1,
    batch: Batch,
  ): void {
    const family = familyOfAddress(address);
    for (const tag of tags) {
      if (!this.#isHeld(others, tag, undefined, '')) {
        tag.counts[family] += by;
        batch.step(tag.group, family, address, by);
      }
      for (const { name, suffix } of ports) {
        const port = tag.ports.get(name);
        if (port === undefined || this.#isHeld(others, tag, name, suffix)) continue;
        port.counts[family] += by;
        batch.step(port.group, family, memberWithPort(address, suffix), by);
      }
    }
  }

  #othersWith(address: MemberToken, except: EndpointClass | null): readonly number[] {
    if (this.#owners.single(address) === -1) return NOBODY;
    const all = this.#owners.all(address);
    return except === null ? all : all.filter((number) => this.#table.classOf(number) !== except);
  }

  #isHeld(others: readonly number[], tag: TagEntry, port: string | undefined, suffix: string): boolean {
    for (const number of others) if (this.#holds(number, tag, port, suffix)) return true;
    return false;
  }

  /** The tags of a class change under its endpoints. */
  #retag(endpointClass: EndpointClass, tags: ReadonlySet<TagEntry>, batch: Batch): void {
    const before = endpointClass.tags;
    const gained = [...tags].filter((tag) => !before.has(tag));
    const lost = [...before].filter((tag) => !tags.has(tag));
    for (const tag of gained) this.#join(endpointClass, tag, batch);
    if (endpointClass.isActive) {
      this.#stepAll(endpointClass, gained, 1, batch);
      this.#stepAll(endpointClass, lost, -1, batch);
    }
    endpointClass.tags = tags;
    for (const tag of lost) this.#part(endpointClass, tag, batch);
  }

  /** The tags of a large class change: its endpoints move, some at a time, to a class of their own kind that has the new ones. */
  *#succeed(endpointClass: EndpointClass, batchNow: () => Batch, endpointsMax: number): Generator<undefined, void> {
    const { tags: before, endpoints } = endpointClass;
    const tags = endpointClass.tagsNow();
    const gained = [...tags].filter((tag) => !before.has(tag));
    const lost = [...before].filter((tag) => !tags.has(tag));
    if (gained.length + lost.length === 0) return;
    const successor = endpointClass.successor();
    this.#classes.set(successor.key, successor);
    for (const profile of successor.profiles) profile.classes.add(successor);
    this.#retag(successor, tags, batchNow());
    while (endpoints.length > 0) {
      for (let left = endpointsMax; left > 0 && endpoints.length > 0; left--) {
        this.#move(endpoints.at(endpoints.length - 1), successor, { gained, lost }, batchNow());
      }
      yield;
    }
    this.#retag(endpointClass, new Set(), batchNow());
    for (const profile of endpointClass.profiles) profile.classes.delete(endpointClass);
  }

  #move(
    number: number,
    successor: EndpointClass,
    { gained, lost }: { readonly gained: readonly TagEntry[]; readonly lost: readonly TagEntry[] },
    batch: Batch,
  ): void {
    for (const address of this.#table.addressesOf(number)) {
      const isAlone = this.#owners.single(address) >= 0;
      const others = isAlone ? NOBODY : this.#owners.all(address).filter((other) => other !== number);
      this.#stepBeside(others, successor.ports, gained, address, 1, batch);
      this.#stepBeside(others, successor.ports, lost, address, -1, batch);
    }
    this.#table.move(number, successor);
  }

  /** Every address of a class steps into or out of tags, once however many endpoints of the class share it. */
  #stepAll(endpointClass: EndpointClass, tags: readonly TagEntry[], by: 1 | -1, batch: Batch): void {
    if (tags.length === 0) return;
    for (let at = 0; at < endpointClass.endpoints.length; at++) {
      const number = endpointClass.endpoints.at(at);
      for (const address of this.#table.addressesOf(number)) {
        if (this.#owners.single(address) < 0) {
          const first = this.#owners.all(address).find((each) => this.#table.classOf(each) === endpointClass);
          if (first !== number) continue;
        }
        this.#step(endpointClass, tags, address, by, batch, endpointClass);
      }
    }
  }

  #join(endpointClass: EndpointClass, tag: TagEntry, batch: Batch): void {
    tag.classes.add(endpointClass);
    for (const { name } of endpointClass.ports) {
      const port = tag.ports.get(name) ?? new PortEntry(tag.tag, name);
      if (port.classes.size === 0) batch.listing(port.group, false);
      tag.ports.set(name, port);
      port.classes.add(endpointClass);
    }
  }

  #part(endpointClass: EndpointClass, tag: TagEntry, batch: Batch): void {
    tag.classes.delete(endpointClass);
    for (const { name } of endpointClass.ports) {
      const port = tag.ports.get(name);
      if (port === undefined) continue;
      port.classes.delete(endpointClass);
      if (port.classes.size > 0) continue;
      batch.listing(port.group, true);
      tag.ports.delete(name);
    }
  }

  #classFor(endpoint: Endpoint, batch: Batch): EndpointClass {
    const key = classKeyOf(endpoint);
    const known = this.#classes.get(key);
    if (known !== undefined) return known;
    const profiles = [...new Set(endpoint.profiles)].map((id) => {
      const profile = this.#profiles.get(id) ?? new ProfileEntry(id);
      this.#profiles.set(id, profile);
      return profile;
    });
    const made = EndpointClass.of(key, profiles, endpoint);
    this.#classes.set(key, made);
    for (const profile of profiles) profile.classes.add(made);
    this.#retag(made, made.tagsNow(), batch);
    return made;
  }

  #forgetClass(endpointClass: EndpointClass, batch: Batch): void {
    this.#retag(endpointClass, new Set(), batch);
    this.#classes.delete(endpointClass.key);
    for (const profile of endpointClass.profiles) {
      profile.classes.delete(endpointClass);
      this.#forgetProfile(profile);
    }
  }

  #forgetProfile(profile: ProfileEntry): void {
    if (profile.tags === null && profile.classes.size === 0) this.#profiles.delete(profile.id);
  }

  #tagFor(tag: string): TagEntry {
    const entry = this.#tags.get(tag) ?? new TagEntry(tag);
    this.#tags.set(tag, entry);
    return entry;
  }

  #carry(tag: TagEntry, profile: ProfileEntry, batch: Batch): void {
    if (tag.profiles.size === 0) batch.listing(tagGroup(tag.tag), false);
    tag.profiles.add(profile);
  }

  #drop(tag: TagEntry, profile: ProfileEntry, batch: Batch): void {
    tag.profiles.delete(profile);
    if (tag.profiles.size > 0) return;
    batch.listing(tag.group, true);
    this.#tags.delete(tag.tag);
  }
}

const NOBODY: readonly number[] = [];

/** Each address once: an endpoint that names one twice has it once. */
function addressesIn({ ipv4, ipv6 }: Endpoint): readonly MemberToken[] {
  const [only] = ipv4;
  if (only !== undefined && ipv4.length === 1 && ipv6.length === 0) return [tokenOf(only)];
  return [...new Set([...ipv4, ...ipv6])].map(tokenOf);
}
