import type { Owner } from '@setkeeper/api';
import type { Family, GroupId, Member } from '@setkeeper/ipset';
import { HOSTS_GROUP, listGroup, networkGroup } from '../model/group-of.ts';
import { type Host, type List, type Network, type ObjectKey, objectKey } from '../model/objects.ts';
import type { Batch } from './batch.ts';

/** What one network or list says. */
interface ObjectGroup {
  readonly key: ObjectKey;
  readonly source: string;
  readonly members: ReadonlyMap<Family | null, ReadonlySet<Member>>;
}

interface HostEntry {
  readonly host: Host;
  readonly source: string;
}

/** The groups whose members an object lists itself: networks, lists, and the hosts together. */
export class ObjectGroups {
  readonly #groups = new Map<GroupId, ObjectGroup>();
  readonly #hosts = new Map<ObjectKey, HostEntry>();
  readonly #hostsByAddress = new Map<Member, Set<ObjectKey>>();
  readonly #hostAddresses = { inet: 0, inet6: 0 };

  setNetwork(id: string, network: Network | null, source: string, batch: Batch): void {
    const members = (family: Family, of: Network) => new Set([...of.nets[family], ...of.except[family]]);
    this.#setGroup(
      networkGroup(id),
      network === null
        ? null
        : {
            key: objectKey('network', id),
            source,
            members: new Map<Family, ReadonlySet<Member>>([
              ['inet', members('inet', network)],
              ['inet6', members('inet6', network)],
            ]),
          },
      batch,
    );
  }

  setList(id: string, list: List | null, source: string, batch: Batch): void {
    // A list's member is the group itself.
    const members = new Set((list?.members ?? []).map((group) => group as string as Member));
    const group = { key: objectKey('list', id), source, members: new Map([[null, members]]) };
    this.#setGroup(listGroup(id), list === null ? null : group, batch);
  }

  setHost(key: ObjectKey, host: Host | null, source: string, batch: Batch): void {
    batch.listing(HOSTS_GROUP, this.#hosts.size > 0);
    const before = this.#hosts.get(key)?.host;
    if (host === null) this.#hosts.delete(key);
    else this.#hosts.set(key, { host, source });
    for (const family of ['inet', 'inet6'] as const) {
      const was = addressIn(before, family);
      const is = addressIn(host, family);
      if (was === is) continue;
      if (was !== null) this.#leave(was, family, key, batch);
      if (is !== null) this.#enter(is, family, key, batch);
    }
  }

  isListed(group: GroupId): boolean {
    return group === HOSTS_GROUP ? this.#hosts.size > 0 : this.#groups.has(group);
  }

  *groups(): Generator<GroupId> {
    yield* this.#groups.keys();
    if (this.#hosts.size > 0) yield HOSTS_GROUP;
  }

  count(group: GroupId, family: Family | null): number {
    if (group === HOSTS_GROUP) return family === null ? 0 : this.#hostAddresses[family];
    return this.#groups.get(group)?.members.get(family)?.size ?? 0;
  }

  has(group: GroupId, family: Family | null, member: Member): boolean {
    if (group === HOSTS_GROUP) return familyOf(member) === family && this.#hostsByAddress.has(member);
    return this.#groups.get(group)?.members.get(family)?.has(member) ?? false;
  }

  *members(group: GroupId, family: Family | null): Generator<Member> {
    if (group !== HOSTS_GROUP) yield* this.#groups.get(group)?.members.get(family) ?? [];
    else for (const member of this.#hostsByAddress.keys()) if (familyOf(member) === family) yield member;
  }

  owners(group: GroupId, family: Family | null, member: Member): readonly Owner[] {
    if (!this.has(group, family, member)) return [];
    if (group === HOSTS_GROUP) {
      return [...(this.#hostsByAddress.get(member) ?? [])].map((key) => ({
        source: this.#hosts.get(key)?.source ?? '',
        object: key,
      }));
    }
    const entry = this.#groups.get(group);
    return entry === undefined ? [] : [{ source: entry.source, object: entry.key }];
  }

  get size(): number {
    return this.#groups.size + this.#hosts.size + this.#hostsByAddress.size;
  }

  #setGroup(group: GroupId, after: ObjectGroup | null, batch: Batch): void {
    const before = this.#groups.get(group);
    if (before === undefined && after === null) return;
    batch.listing(group, before !== undefined);
    for (const family of FAMILIES_AND_NONE) {
      const was = before?.members.get(family);
      const is = after?.members.get(family);
      for (const member of was ?? []) if (is?.has(member) !== true) batch.step(group, family, member, -1);
      for (const member of is ?? []) if (was?.has(member) !== true) batch.step(group, family, member, 1);
    }
    if (after === null) this.#groups.delete(group);
    else this.#groups.set(group, after);
  }

  #enter(address: Member, family: Family, key: ObjectKey, batch: Batch): void {
    const hosts = this.#hostsByAddress.get(address) ?? new Set();
    this.#hostsByAddress.set(address, hosts.add(key));
    if (hosts.size > 1) return;
    this.#hostAddresses[family]++;
    batch.step(HOSTS_GROUP, family, address, 1);
  }

  #leave(address: Member, family: Family, key: ObjectKey, batch: Batch): void {
    const hosts = this.#hostsByAddress.get(address);
    if (hosts?.delete(key) !== true || hosts.size > 0) return;
    this.#hostsByAddress.delete(address);
    this.#hostAddresses[family]--;
    batch.step(HOSTS_GROUP, family, address, -1);
  }
}

const FAMILIES_AND_NONE: readonly (Family | null)[] = ['inet', 'inet6', null];

const familyOf = (address: Member): Family => (address.includes(':') ? 'inet6' : 'inet');

const addressIn = (host: Host | null | undefined, family: Family): Member | null =>
  (family === 'inet' ? host?.ipv4 : host?.ipv6) ?? null;
