import type { Fault } from '@setkeeper/api';
import { canonicalMember, checkId, type Family, type Member } from '@setkeeper/ipset';
import { tagGroup } from '../../model/group-of.ts';
import { keyParts, objectText } from '../../model/object-text.ts';
import { type ModelObject, type ObjectKey, objectKey } from '../../model/objects.ts';
import { sectionOf } from '../../model/section.ts';
import { visibleText } from '../../model/visible-text.ts';
import type { EtcdChange } from './etcd-connection.ts';
import type { EtcdLayout, LaidOut } from './etcd-layout.ts';

/** What one key of the old data model means. */
type Meaning =
  | { readonly what: 'tags' | 'rules'; readonly profile: string }
  | { readonly what: 'endpoint'; readonly id: string; readonly host: string; readonly needsState: boolean }
  | { readonly what: 'address'; readonly host: string; readonly family: Family };

/** A profile as far as references follow from it. */
interface ProfileUse {
  /** Tags that its rules name; null: its rules are faulty, and the last good reference stands. */
  tags: readonly string[] | null;
  /** Active endpoints on this host that name it. */
  readonly local: Set<string>;
}

/**
 * Reads Calico's first data model: profiles with tags, endpoints that are `active`, host addresses. Rules that name a tag
 * make a reference `profile/<id>` as long as this host has an active endpoint of that profile: exactly the hosts whose
 * rules need the set. Other keys and unknown fields are left alone.
 */
export class CalicoV1Layout implements EtcdLayout {
  readonly #host: string;
  readonly #changed = new Map<ObjectKey, LaidOut>();
  readonly #faults = new Map<string, Fault>();
  readonly #uses = new Map<string, ProfileUse>();
  readonly #localProfiles = new Map<string, readonly string[]>();
  readonly #addresses = new Map<string, { inet: Member | null; inet6: Member | null }>();

  constructor(host: string) {
    this.#host = host;
  }

  set(change: EtcdChange): void {
    const meaning = meaningOf(change.key);
    if (meaning === null) return;
    this.#faults.delete(change.key);
    switch (meaning.what) {
      case 'tags':
        this.#setTags(meaning.profile, change);
        break;
      case 'rules':
        this.#setRules(meaning.profile, change);
        break;
      case 'endpoint':
        this.#setEndpoint(meaning, change);
        break;
      case 'address':
        this.#setAddress(meaning.host, meaning.family, change);
        break;
    }
  }

  take(): ReadonlyMap<ObjectKey, LaidOut> {
    const changed = new Map(this.#changed);
    this.#changed.clear();
    return changed;
  }

  faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  #setTags(id: string, change: EtcdChange): void {
    const key = objectKey('profile', id);
    const tags = change.value === null ? null : textList(jsonOf(change));
    const fault = typeof tags === 'string' ? tags : firstFault([id, ...(tags ?? [])]);
    if (fault !== undefined) this.#faulty(key, change.key, fault);
    else if (tags === null || typeof tags === 'string') this.#changed.set(key, { is: 'gone' });
    else this.#value({ kind: 'profile', id, tags: sorted(tags) });
  }

  #setRules(profile: string, change: EtcdChange): void {
    const use = this.#useOf(profile);
    const named = change.value === null ? [] : tagsInRules(jsonOf(change));
    const fault = typeof named === 'string' ? named : firstFault([profile, ...named]);
    use.tags = fault !== undefined || typeof named === 'string' ? null : sorted(named);
    if (fault !== undefined) this.#fault(referencesKey(profile), change.key, fault);
    this.#refer(profile);
  }

  #setEndpoint({ id, host, needsState }: Extract<Meaning, { what: 'endpoint' }>, change: EtcdChange): void {
    const key = objectKey('endpoint', id);
    if (change.value === null) {
      this.#changed.set(key, { is: 'gone' });
      this.#setLocal(id, []);
      return;
    }
    const endpoint = endpointOf(id, jsonOf(change), needsState);
    if (typeof endpoint === 'string') {
      this.#faulty(key, change.key, endpoint);
      return;
    }
    this.#value(endpoint);
    if (host === this.#host) this.#setLocal(id, endpoint.active ? endpoint.profiles : []);
  }

  #setAddress(host: string, family: Family, change: EtcdChange): void {
    const key = objectKey('host', host);
    const text = change.value?.trim() ?? '';
    const canonical = text === '' ? null : canonicalMember('hash:ip', family, text);
    const fault = checkId(host) ?? (canonical?.ok === false ? canonical.reason : undefined);
    if (fault !== undefined) {
      this.#faulty(key, change.key, fault);
      return;
    }
    const addresses = this.#addresses.get(host) ?? { inet: null, inet6: null };
    addresses[family] = canonical?.ok === true ? canonical.member : null;
    this.#addresses.set(host, addresses);
    if (addresses.inet !== null || addresses.inet6 !== null) {
      this.#value({ kind: 'host', id: host, ipv4: addresses.inet, ipv6: addresses.inet6 });
      return;
    }
    this.#addresses.delete(host);
    this.#changed.set(key, { is: 'gone' });
  }

  #useOf(profile: string): ProfileUse {
    const use = this.#uses.get(profile) ?? { tags: [], local: new Set() };
    this.#uses.set(profile, use);
    return use;
  }

  #setLocal(endpoint: string, profiles: readonly string[]): void {
    const before = this.#localProfiles.get(endpoint) ?? [];
    if (profiles.length === 0) this.#localProfiles.delete(endpoint);
    else this.#localProfiles.set(endpoint, profiles);
    for (const profile of before) this.#useOf(profile).local.delete(endpoint);
    for (const profile of profiles) this.#useOf(profile).local.add(endpoint);
    for (const profile of new Set([...before, ...profiles])) this.#refer(profile);
  }

  #refer(profile: string): void {
    const { tags, local } = this.#useOf(profile);
    const key = referencesKey(profile);
    if (tags === null && local.size > 0) this.#changed.set(key, { is: 'faulty' });
    else if (tags === null || tags.length === 0 || local.size === 0) this.#changed.set(key, { is: 'gone' });
    else this.#value({ kind: 'references', id: `profile/${profile}`, groups: tags.map(tagGroup), hosts: [this.#host] });
  }

  #value(object: ModelObject): void {
    this.#changed.set(objectKey(object.kind, object.id), { is: 'value', text: objectText(object) });
  }

  #faulty(object: ObjectKey, key: string, reason: string): void {
    this.#changed.set(object, { is: 'faulty' });
    this.#fault(object, key, reason);
  }

  #fault(object: ObjectKey, key: string, reason: string): void {
    const { kind, id } = keyParts(object);
    const path = `${sectionOf(kind)}.${visibleText(id)}`;
    const fault = { file: visibleText(key), line: 1, path, reason: visibleText(reason, 600) };
    this.#faults.set(key, { ...fault, severity: 'error' });
  }
}

const referencesKey = (profile: string): ObjectKey => objectKey('references', `profile/${profile}`);

const PROFILE = /^policy\/profile\/(.+)\/(tags|rules)$/u;
const WORKLOAD = /^host\/([^/]+)\/workload\/([^/]+)\/(.+)\/endpoint\/([^/]+)$/u;
const HOST_ENDPOINT = /^host\/([^/]+)\/endpoint\/([^/]+)$/u;
const HOST_ADDRESS = /^host\/([^/]+)\/(bird_ip|bird6_ip)$/u;

function meaningOf(key: string): Meaning | null {
  const [, profile, what] = PROFILE.exec(key) ?? [];
  if (profile !== undefined) return { what: what === 'tags' ? 'tags' : 'rules', profile };
  const [, host, orchestrator, workload, interfaceId] = WORKLOAD.exec(key) ?? [];
  if (host !== undefined) {
    return { what: 'endpoint', host, id: `${host}/${orchestrator}/${workload}/${interfaceId}`, needsState: true };
  }
  const [, ownHost, own] = HOST_ENDPOINT.exec(key) ?? [];
  if (ownHost !== undefined)
    return { what: 'endpoint', host: ownHost, id: `${ownHost}/endpoint/${own}`, needsState: false };
  const [, address, which] = HOST_ADDRESS.exec(key) ?? [];
  return address === undefined
    ? null
    : { what: 'address', host: address, family: which === 'bird_ip' ? 'inet' : 'inet6' };
}

/** The value as JSON; a string says what is wrong with it. */
type Json = { readonly json: unknown } | string;

function jsonOf({ value, isText }: EtcdChange): Json {
  if (!isText) return 'is not UTF-8 text';
  try {
    return { json: JSON.parse(value ?? '') };
  } catch {
    return 'is no JSON';
  }
}

/** A list of texts, or what is wrong with it. */
function textList(from: Json): readonly string[] | string {
  if (typeof from === 'string') return from;
  const { json } = from;
  if (!Array.isArray(json) || !json.every((each) => typeof each === 'string')) return 'expected a JSON list of texts';
  return json;
}

function tagsInRules(from: Json): readonly string[] | string {
  if (typeof from === 'string') return from;
  if (!isRecord(from.json)) return 'expected a JSON object with inbound_rules and outbound_rules';
  const rules = [from.json.inbound_rules ?? [], from.json.outbound_rules ?? []];
  if (!rules.every((list): list is unknown[] => Array.isArray(list))) return 'rules are no list';
  return rules.flat().flatMap((rule) => {
    if (!isRecord(rule)) return [];
    return TAG_FIELDS.flatMap((field) => {
      const tag = rule[field];
      return typeof tag === 'string' ? [tag] : [];
    });
  });
}

/** A rule that excludes a tag needs its set as much as one that names it. */
const TAG_FIELDS = ['src_tag', 'dst_tag', '!src_tag', '!dst_tag'];

function endpointOf(id: string, from: Json, needsState: boolean): Extract<ModelObject, { kind: 'endpoint' }> | string {
  if (typeof from === 'string') return from;
  const { json } = from;
  if (!isRecord(json)) return 'expected a JSON object';
  const profiles = textList({ json: json.profile_ids ?? (json.profile_id == null ? [] : [json.profile_id]) });
  if (typeof profiles === 'string') return `profile_ids: ${profiles}`;
  const ipv4 = addresses(json.ipv4_nets, 'inet');
  if (typeof ipv4 === 'string') return `ipv4_nets: ${ipv4}`;
  const ipv6 = addresses(json.ipv6_nets, 'inet6');
  if (typeof ipv6 === 'string') return `ipv6_nets: ${ipv6}`;
  const fault = firstFault([id, ...profiles]);
  if (fault !== undefined) return fault;
  const active = json.state === 'active' || (!needsState && json.state === undefined);
  return { kind: 'endpoint', id, profiles: sorted(profiles), ipv4, ipv6, ports: new Map(), active };
}

function addresses(json: unknown, family: Family): readonly Member[] | string {
  const texts = textList({ json: json ?? [] });
  if (typeof texts === 'string') return texts;
  const members = new Set<Member>();
  for (const text of texts) {
    const canonical = canonicalMember('hash:ip', family, text);
    if (!canonical.ok) return canonical.reason;
    members.add(canonical.member);
  }
  return [...members].sort();
}

function firstFault(ids: readonly string[]): string | undefined {
  for (const id of ids) {
    const fault = checkId(id);
    if (fault !== undefined) return `the id "${visibleText(id, 60)}" ${fault}`;
  }
  return undefined;
}

const sorted = (ids: readonly string[]): readonly string[] => [...new Set(ids)].sort();

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
