import type { SetHeader } from './header.ts';
import { type IpAddress, maskGroup, maskIpv4, parseIp, readDecimal, readIpv4, readIpv6 } from './ip-address.ts';
import { NOMATCH } from './member.ts';

export interface AddressMatch {
  readonly matched: boolean;
  /** Not matched, because the longest fitting network is a `nomatch` one. */
  readonly excluded: boolean;
  /** The elements that decided, as given; for a list the names of the member sets that decided. */
  readonly by: readonly string[];
}

/** A set to look into: its header and its members in canonical text, exceptions with their ` nomatch`. */
export interface MatchableSet {
  readonly header: SetHeader;
  readonly members: Iterable<string>;
}

/**
 * Whether a set holds an address, decided as the kernel does (ip_set_hash_gen.h tries prefix lengths from the longest
 * to the shortest and stops at the first hit): equality in sets of addresses, the longest prefix over networks and
 * exceptions in sets of networks, `netmask` and `bitmask` applied, a list through its members by `lookup` (a member set
 * that it does not give is passed over). In types of more parts the first part is compared, and each combination of the
 * other parts (port, interface, ...) decides for itself: the set matches if one of them does, and `by` names them.
 * Types without an address (`bitmap:port`, `hash:mac`) match none. A text that is no address matches nothing.
 * O(members), without keeping them.
 */
export function matchAddress(
  address: IpAddress | string,
  header: SetHeader,
  members: Iterable<string>,
  lookup: (name: string) => MatchableSet | undefined = () => undefined,
): AddressMatch {
  const parsed = typeof address === 'string' ? parseIp(address) : address;
  if (parsed === undefined) return NO_MATCH;
  if (header.type === 'list:set') return matchList(parsed, members, lookup);
  return matchElements(parsed, header, members);
}

const NO_MATCH: AddressMatch = { matched: false, excluded: false, by: [] };

function matchList(
  address: IpAddress,
  members: Iterable<string>,
  lookup: (name: string) => MatchableSet | undefined,
): AddressMatch {
  const matching: string[] = [];
  const excluding: string[] = [];
  for (const name of members) {
    const set = lookup(name);
    if (set === undefined || set.header.type === 'list:set') continue;
    const match = matchElements(address, set.header, set.members);
    if (match.matched) matching.push(name);
    else if (match.excluded) excluding.push(name);
  }
  return verdict(matching, excluding);
}

/** The longest prefix so far for one combination of the parts behind the address. */
interface Best {
  readonly element: string;
  readonly prefixLength: number;
  readonly nomatch: boolean;
}

function matchElements(address: IpAddress, header: SetHeader, members: Iterable<string>): AddressMatch {
  if (!hasAddress(header.type)) return NO_MATCH;
  const isIpv4 = address.family === 'inet';
  if (isIpv4 !== (header.family === 'inet' || header.type.startsWith('bitmap:'))) return NO_MATCH;
  const covers = isIpv4
    ? ipv4Cover(applyMaskIpv4(address.value, header))
    : ipv6Cover(applyMaskIpv6(address.groups, header));
  const bestByRest = new Map<string, Best>();
  for (const element of members) {
    const comma = element.indexOf(',');
    const nomatch = element.endsWith(NOMATCH);
    const end = comma >= 0 ? comma : element.length - (nomatch ? NOMATCH.length : 0);
    const prefixLength = covers(element, end);
    if (prefixLength < 0) continue;
    const rest = comma < 0 ? '' : element.slice(comma, nomatch ? -NOMATCH.length : undefined);
    const best = bestByRest.get(rest);
    if (best === undefined || prefixLength > best.prefixLength) {
      bestByRest.set(rest, { element, prefixLength, nomatch });
    }
  }
  const deciding = [...bestByRest.values()];
  return verdict(
    deciding.filter((best) => !best.nomatch).map((best) => best.element),
    deciding.filter((best) => best.nomatch).map((best) => best.element),
  );
}

function verdict(matching: readonly string[], excluding: readonly string[]): AddressMatch {
  if (matching.length > 0) return { matched: true, excluded: false, by: matching };
  return { matched: false, excluded: excluding.length > 0, by: excluding };
}

function hasAddress(type: string): boolean {
  const firstPart = type.slice(type.indexOf(':') + 1).split(',')[0];
  return firstPart === 'ip' || firstPart === 'net';
}

/** Tells the prefix length with which the element in `text[0, end)` covers the address, or -1. */
type Cover = (text: string, end: number) => number;

function ipv4Cover(address: number): Cover {
  return (text, end) => {
    const slash = slashBefore(text, end);
    const value = readIpv4(text, 0, slash < 0 ? end : slash);
    if (value < 0) return -1;
    const length = slash < 0 ? 32 : readDecimal(text, slash + 1, end, 32);
    return length >= 0 && maskIpv4(address, length) === maskIpv4(value, length) ? length : -1;
  };
}

function ipv6Cover(groups: readonly number[]): Cover {
  const element = new Uint16Array(8);
  return (text, end) => {
    const slash = slashBefore(text, end);
    if (!readIpv6(text, 0, slash < 0 ? end : slash, element)) return -1;
    const length = slash < 0 ? 128 : readDecimal(text, slash + 1, end, 128);
    if (length < 0) return -1;
    return groups.every((group, i) => maskGroup(group, i, length) === maskGroup(element[i] ?? 0, i, length))
      ? length
      : -1;
  };
}

function slashBefore(text: string, end: number): number {
  const slash = text.indexOf('/');
  return slash < end ? slash : -1;
}

function applyMaskIpv4(value: number, header: SetHeader): number {
  if (header.netmask !== null) {
    const length = readDecimal(header.netmask, 0, header.netmask.length, 32);
    return length < 0 ? value : maskIpv4(value, length);
  }
  const mask = header.bitmask === null ? -1 : readIpv4(header.bitmask, 0, header.bitmask.length);
  return mask < 0 ? value : (value & mask) >>> 0;
}

function applyMaskIpv6(groups: readonly number[], header: SetHeader): readonly number[] {
  if (header.netmask !== null) {
    const length = readDecimal(header.netmask, 0, header.netmask.length, 128);
    return length < 0 ? groups : groups.map((group, i) => maskGroup(group, i, length));
  }
  const mask = header.bitmask === null ? undefined : parseIp(header.bitmask);
  return mask?.family === 'inet6' ? groups.map((group, i) => group & (mask.groups[i] ?? 0)) : groups;
}
