import { canonicalMember, type GroupId, parseGroupId } from '@setkeeper/ipset';
import { holdsWord, objectOf } from '../engine/views/owner-history.ts';
import type { Membership } from '../membership/membership.ts';
import { networkDifferenceOf } from '../model/network-difference.ts';
import { type ModelObject, type ObjectKey, objectKey } from '../model/objects.ts';
import type { ChangeRepository, ObjectHistory } from '../store/store.ts';
import { titleOf } from './member-origin.ts';
import { timeWords } from './time-words.ts';

export interface WhyNotPorts {
  readonly membership: Membership;
  readonly changes: Pick<ChangeRepository, 'objectChanges' | 'objectsNaming'>;
  readonly objectOfKey: (key: ReturnType<typeof objectKey>) => ModelObject | null;
  readonly now: number;
}

const OBJECTS_MAX = 20;
const CHANGES_MAX = 50;

/** Why an address is not in a group, or in none at all (`group` null): what the model has of it, and what it had. */
export function whyNot(ports: WhyNotPorts, address: string, group: GroupId | null): readonly string[] {
  const now = endpointsNow(ports, address, group);
  const before = formerly(ports, address, group);
  if (now.length + before.length > 0) return [...now, ...before];
  if (group === null) return [];
  if (!ports.membership.isDefined(group)) return [`the model has no ${group}`];
  return [`nothing in the model puts ${address} into ${group}, now or before as far as the history reaches`];
}

function endpointsNow(
  { membership, objectOfKey }: WhyNotPorts,
  address: string,
  group: GroupId | null,
): readonly string[] {
  return membership.endpointsWithAddress(address as never).flatMap((id) => {
    const endpoint = objectOfKey(objectKey('endpoint', id));
    if (endpoint?.kind !== 'endpoint') return [];
    if (!endpoint.active) return [`endpoint ${id} has this address and is not active`];
    if (group === null || !isOfEndpoints(group)) return [];
    const { profiles: ids } = endpoint;
    const profiles =
      ids.length === 0 ? 'no profile' : `the ${ids.length === 1 ? 'profile' : 'profiles'} ${ids.join(', ')}`;
    return [`endpoint ${id} has this address and ${profiles}, ${reasonOf(group, endpoint.profiles)}`];
  });
}

/** Whether profiles decide what is in the group: no network, list or group of hosts knows endpoints. */
const isOfEndpoints = (group: GroupId): boolean => group.startsWith('tag:') || group.startsWith('port:');

function reasonOf(group: GroupId, profiles: readonly string[]): string {
  const parsed = parseGroupId(group);
  if (parsed.ok && parsed.kind === 'port') return `but no port ${parsed.port} in a tag ${parsed.tag}`;
  return profiles.length === 1 ? `which does not carry ${group}` : `none of which carries ${group}`;
}

/** Objects that named the address at some time and do no more, or that put it into the group no more. */
function formerly(ports: WhyNotPorts, address: string, group: GroupId | null): readonly string[] {
  const { changes, now } = ports;
  const network = group?.startsWith('net:') === true ? objectKey('network', group.slice('net:'.length)) : null;
  if (network !== null) return formerlyIn(ports, address, network);
  return changes.objectsNaming(address, OBJECTS_MAX).flatMap((key) => {
    const history = changes.objectChanges(key, CHANGES_MAX);
    const removed = removalOf(history, [address]);
    if (removed !== undefined) return couldBeIn(ports, removed, group) ? [lostWords(removed, removed, now)] : [];
    const held = history.findIndex(({ text }) => text !== null && holdsWord(text, address));
    const last = history[held];
    if (last === undefined || !couldBeIn(ports, last, group)) return [];
    const lost = held === 0 ? undefined : history[held - 1];
    if (lost !== undefined) return [lostWords(lost, last, now)];
    const change = group === null ? null : profileChange(ports, last, group);
    return change === null
      ? []
      : [`${titleOf(change.key)} does not carry ${group} any more since ${timeWords(change.at, now)}${by(change)}`];
  });
}

/** What a network lost of what the address lies in: itself, or a wider network. */
function formerlyIn({ changes, now }: WhyNotPorts, address: string, network: ObjectKey): readonly string[] {
  const history = changes.objectChanges(network, CHANGES_MAX);
  const words = networksOf(address);
  const removed = removalOf(history, words);
  if (removed !== undefined) return [lostWords(removed, removed, now, wordIn(removed, words))];
  const held = history.findIndex((change) => wordIn(change, words) !== undefined);
  const [last, lost] = [history[held], history[held - 1]];
  return last === undefined || lost === undefined ? [] : [lostWords(lost, last, now, wordIn(last, words))];
}

/** The newest change that took one of some words out of a network, where nothing newer put it in again. */
function removalOf(history: readonly ObjectHistory[], words: readonly string[]): ObjectHistory | undefined {
  const last = history.find(({ text }) => {
    const difference = networkDifferenceOf(text ?? '');
    return difference !== null && [...difference.added, ...difference.removed].some((entry) => words.includes(entry));
  });
  const difference = networkDifferenceOf(last?.text ?? '');
  return difference?.removed.some((entry) => words.includes(entry)) === true ? last : undefined;
}

const wordIn = ({ text }: ObjectHistory, words: readonly string[]): string | undefined =>
  text === null ? undefined : words.find((word) => holdsWord(text, word));

/** An address and every network that it lies in, as a model writes them, the narrowest first. */
function networksOf(address: string): readonly string[] {
  const family = address.includes(':') ? 'inet6' : 'inet';
  const lengthMax = family === 'inet' ? 32 : 128;
  return Array.from({ length: lengthMax + 1 }, (_, i) => {
    const canonical = canonicalMember('hash:net', family, `${address}/${lengthMax - i}`);
    return canonical.ok ? canonical.member : address;
  });
}

/** `word`: what went, where it is not the address itself. */
function lostWords(lost: ObjectHistory, last: ObjectHistory, now: number, word = 'this address'): string {
  const when = timeWords(lost.at, now);
  if (lost.text === null) return `${titleOf(lost.key)} was removed ${when}${by(last)}`;
  return `${titleOf(lost.key)} lost ${word} ${when}${by(lost)}`;
}

/** ` by web.yaml`: the file, or else the source. */
function by({ file, line, source }: ObjectHistory): string {
  if (file === undefined) return ` by ${source}`;
  return ` by ${file}${line === undefined ? '' : `:${line}`}`;
}

/** Whether an object of that time could have put its addresses into the group. What cannot be told counts as yes. */
function couldBeIn(ports: WhyNotPorts, change: ObjectHistory, group: GroupId | null): boolean {
  if (group === null) return true;
  const object = objectOf(change);
  const parsed = parseGroupId(group);
  if (object === null || !parsed.ok) return true;
  switch (parsed.kind) {
    case 'tag':
      return object.kind === 'endpoint' && object.profiles.some((profile) => everCarried(ports, profile, parsed.name));
    case 'port':
      return object.kind === 'endpoint' && parsed.port !== undefined && object.ports.has(parsed.port);
    case 'hosts':
      return object.kind === 'host';
    case 'net':
    case 'list':
      return true;
  }
}

function everCarried({ membership, changes }: WhyNotPorts, profile: string, tag: string): boolean {
  if (membership.profilesWith(tag).includes(profile)) return true;
  return changes.objectChanges(objectKey('profile', profile), CHANGES_MAX).some((change) => carries(change, tag));
}

function carries(change: ObjectHistory, tag: string): boolean {
  const object = objectOf(change);
  return object?.kind === 'profile' && object.tags.includes(tag);
}

/** The change by which the last of an endpoint's profiles stopped to carry a tag. */
function profileChange({ changes }: WhyNotPorts, endpoint: ObjectHistory, group: GroupId): ObjectHistory | null {
  const object = objectOf(endpoint);
  const parsed = parseGroupId(group);
  if (object?.kind !== 'endpoint' || !parsed.ok || parsed.kind !== 'tag') return null;
  const stops = object.profiles.flatMap((profile) => {
    const history = changes.objectChanges(objectKey('profile', profile), CHANGES_MAX);
    const carried = history.findIndex((change) => carries(change, parsed.name));
    return carried > 0 ? (history[carried - 1] ?? []) : [];
  });
  return stops.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
}
