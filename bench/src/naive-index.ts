import type { ObjectChange } from '@setkeeper/agent/membership';
import type { Member } from '@setkeeper/ipset';

interface NaiveOwner {
  readonly source: string;
  readonly profile: string;
  readonly endpoint: string;
}
interface NaiveEndpoint {
  readonly profiles: readonly string[];
  readonly addresses: readonly Member[];
}

/**
 * The index that one writes first: group -> member -> owners in maps and objects, every reason of every member an object
 * of its own. It only takes endpoints in whose profiles are known, which is all that it is measured by.
 */
export class NaiveIndex {
  readonly #tags = new Map<string, readonly string[]>();
  readonly #endpoints = new Map<string, NaiveEndpoint>();
  readonly #groups = new Map<string, Map<Member, Set<NaiveOwner>>>();
  readonly #byAddress = new Map<Member, Set<string>>();

  /** Tells what appeared, as the membership of an agent does. */
  apply(changes: readonly ObjectChange[]): ReadonlyMap<string, ReadonlySet<Member>> {
    const appeared = new Map<string, Set<Member>>();
    for (const { after, origin } of changes) {
      if (after?.kind === 'profile') this.#tags.set(after.id, after.tags);
      if (after?.kind !== 'endpoint') continue;
      const addresses = [...after.ipv4, ...after.ipv6];
      this.#endpoints.set(after.id, { profiles: after.profiles, addresses });
      for (const address of addresses) {
        setIn(this.#byAddress, address).add(after.id);
        for (const profile of after.profiles) {
          for (const tag of this.#tags.get(profile) ?? []) {
            const group = `tag:${tag}`;
            const members = this.#groups.get(group) ?? new Map<Member, Set<NaiveOwner>>();
            this.#groups.set(group, members);
            if (!members.has(address)) setIn(appeared, group).add(address);
            setIn(members, address).add({ source: origin?.source ?? '', profile, endpoint: after.id });
          }
        }
      }
    }
    return appeared;
  }

  endpointsWithAddress(address: Member): readonly string[] {
    return [...(this.#byAddress.get(address) ?? [])];
  }
}

function setIn<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  const set = map.get(key) ?? new Set<V>();
  map.set(key, set);
  return set;
}
