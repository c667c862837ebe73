import type { Family, GroupId, Member } from '@setkeeper/ipset';

/** The kinds of objects of the data model. */
export type ObjectKind = 'profile' | 'endpoint' | 'network' | 'list' | 'host' | 'references';

/** `<kind>/<id>`: what tells two objects apart, within and between sources. */
export type ObjectKey = string & { readonly __brand: 'ObjectKey' };
export const objectKey = (kind: ObjectKind, id: string): ObjectKey => `${kind}/${id}` as ObjectKey;

export interface Profile {
  readonly kind: 'profile';
  readonly id: string;
  readonly tags: readonly string[];
}

export interface NamedPort {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly port: number;
}

export interface Endpoint {
  readonly kind: 'endpoint';
  readonly id: string;
  readonly profiles: readonly string[];
  /** Canonical hash:ip members. */
  readonly ipv4: readonly Member[];
  readonly ipv6: readonly Member[];
  readonly ports: ReadonlyMap<string, NamedPort>;
  /** Only active endpoints own. */
  readonly active: boolean;
  readonly note?: string;
}

export interface Network {
  readonly kind: 'network';
  readonly id: string;
  /** Canonical hash:net members of both families; exceptions carry ` nomatch`. */
  readonly nets: Readonly<Record<Family, readonly Member[]>>;
  readonly except: Readonly<Record<Family, readonly Member[]>>;
  readonly files: readonly string[];
  readonly note?: string;
}

/** A set of sets. */
export interface List {
  readonly kind: 'list';
  readonly id: string;
  readonly members: readonly GroupId[];
  readonly note?: string;
}

export interface Host {
  readonly kind: 'host';
  readonly id: string;
  readonly ipv4: Member | null;
  readonly ipv6: Member | null;
}

/** Who needs which groups in the kernel, and on which hosts (glob patterns; empty: every host). */
export interface References {
  readonly kind: 'references';
  readonly id: string;
  readonly groups: readonly GroupId[];
  readonly hosts: readonly string[];
}

export type ModelObject = Profile | Endpoint | Network | List | Host | References;

/** Where an object was read. `line` counts from 1. */
export interface Origin {
  readonly source: string;
  readonly file?: string;
  readonly line?: number;
  readonly commit?: string;
}

/** A parsed, valid, canonical object with its origin. */
export interface ObjectRecord {
  readonly key: ObjectKey;
  readonly object: ModelObject;
  readonly origin: Origin;
  /** The document's own text or JSON of this object, as the store keeps it for last good content. */
  readonly text: string;
}
