import type { GroupId, Member } from '@setkeeper/ipset';
import { portGroup, tagGroup } from '../model/group-of.ts';
import type { Endpoint, NamedPort } from '../model/objects.ts';
import { IntList } from './int-list.ts';
import { type MemberToken, memberOf } from './member-token.ts';

/** How many members a group has in each family. */
export interface Counts {
  inet: number;
  inet6: number;
}

/** A profile that is defined or that endpoints name. */
export class ProfileEntry {
  readonly id: string;
  /** Null: nobody defines it. */
  tags: readonly TagEntry[] | null = null;
  readonly classes = new Set<EndpointClass>();

  constructor(id: string) {
    this.id = id;
  }
}

/** A port by its name in a tag: a group of addresses with ports. */
export class PortEntry {
  readonly group: GroupId;
  readonly classes = new Set<EndpointClass>();
  readonly counts: Counts = { inet: 0, inet6: 0 };
  readonly name: string;

  constructor(tag: string, name: string) {
    this.name = name;
    this.group = portGroup(tag, name);
  }
}

/** A tag that at least one profile carries: a group of addresses. */
export class TagEntry {
  readonly tag: string;
  readonly group: GroupId;
  readonly profiles = new Set<ProfileEntry>();
  readonly classes = new Set<EndpointClass>();
  readonly ports = new Map<string, PortEntry>();
  readonly counts: Counts = { inet: 0, inet6: 0 };

  constructor(tag: string) {
    this.tag = tag;
    this.group = tagGroup(tag);
  }
}

/** A named port with the text that follows an address: `,tcp:8080`. */
interface ClassPort {
  readonly name: string;
  readonly suffix: string;
}

/**
 * All endpoints with the same profiles, the same named ports and the same state. They are in the same groups, so what is
 * known of groups is known once for all of them, and nothing is stored for an endpoint in a tag.
 */
export class EndpointClass {
  readonly key: string;
  readonly profiles: readonly ProfileEntry[];
  readonly ports: readonly ClassPort[];
  readonly isActive: boolean;
  readonly endpoints = new IntList();
  tags: ReadonlySet<TagEntry> = new Set();

  constructor(
    key: string,
    profiles: readonly ProfileEntry[],
    { ports, isActive }: Pick<EndpointClass, 'ports' | 'isActive'>,
  ) {
    this.key = key;
    this.profiles = profiles;
    this.ports = ports;
    this.isActive = isActive;
  }

  /** The class that endpoints with these profiles are in. */
  static of(key: string, profiles: readonly ProfileEntry[], { ports, active }: Endpoint): EndpointClass {
    const named = [...ports].map(([name, port]) => ({ name, suffix: suffixOf(port) }));
    return new EndpointClass(key, profiles, { ports: named, isActive: active });
  }

  /** A class of the same kind without endpoints and tags. */
  successor(): EndpointClass {
    return new EndpointClass(this.key, this.profiles, this);
  }

  /** The text that follows an address in the port group of this name; undefined where the class has no such port. */
  suffixOf(port: string): string | undefined {
    return this.ports.find(({ name }) => name === port)?.suffix;
  }

  /** The tags of all profiles together, as the profiles are now. */
  tagsNow(): ReadonlySet<TagEntry> {
    const tags = new Set<TagEntry>();
    for (const profile of this.profiles) for (const tag of profile.tags ?? []) tags.add(tag);
    return tags;
  }
}

/** What tells one class from another. Ids hold no control characters, so a newline separates them. */
export function classKeyOf({ profiles, ports, active }: Endpoint): string {
  let key = active ? '+' : '-';
  for (const profile of profiles) key += `${profile}\n`;
  for (const [name, port] of ports) key += `\n${name}${suffixOf(port)}`;
  return key;
}

/** The member of a port group. */
export const memberWithPort = (address: MemberToken, suffix: string): Member =>
  `${memberOf(address)}${suffix}` as Member;

const suffixOf = ({ protocol, port }: NamedPort): string => `,${protocol}:${port}`;
