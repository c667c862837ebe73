import { formatIpv4, readDecimal, readIpv4, readIpv6 } from './ip-address.ts';
import { isNomatch, type Member, memberKey, NOMATCH } from './member.ts';
import { protocolNumber } from './protocol.ts';

/**
 * Orders members as a person reads them: IPv4 before IPv6 before set names; by address as a number, then prefix length
 * (the wider first), then protocol number, then port; an exception behind its equal. A total order: 0 for equal texts only.
 */
export function compareMembers(a: Member, b: Member): number {
  return a === b ? 0 : compareKeys(orderKey(a), orderKey(b));
}

/**
 * A new sorted array in the order of `compareMembers`. O(n log n), made for a million members: where all are plain IPv4
 * addresses and networks they are sorted as numbers and their texts made anew.
 */
export function sortMembers(members: Iterable<Member>): Member[] {
  const texts = Array.from(members);
  const packed = packIpv4(texts);
  if (packed !== undefined) return Array.from(packed.sort(), unpackIpv4);
  const keys = texts.map(orderKey);
  return keys.sort(compareKeys).map((key) => key.text);
}

interface OrderKey {
  readonly text: Member;
  /** 0 IPv4, 1 IPv6, 2 anything else. */
  readonly rank: number;
  /** IPv4: the address, 0. IPv6: its upper and lower half; a double cannot hold 64 bits, hence four words. */
  readonly words: readonly number[];
  readonly prefixLength: number;
  readonly protocol: number;
  readonly port: number;
}

function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  for (let i = 0; i < a.words.length; i++) {
    const difference = (a.words[i] ?? 0) - (b.words[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prefixLength !== b.prefixLength) return a.prefixLength - b.prefixLength;
  if (a.protocol !== b.protocol) return a.protocol - b.protocol;
  if (a.port !== b.port) return a.port - b.port;
  if (a.text === b.text) return 0;
  return a.text < b.text ? -1 : 1;
}

const GROUPS = new Uint16Array(8);

function orderKey(member: Member): OrderKey {
  const key = memberKey(member);
  const comma = key.indexOf(',');
  const addressEnd = comma < 0 ? key.length : comma;
  const slash = key.indexOf('/');
  const end = slash < 0 || slash > addressEnd ? addressEnd : slash;
  const value = readIpv4(key, 0, end);
  const isIpv6 = value < 0 && readIpv6(key, 0, end, GROUPS);
  if (value < 0 && !isIpv6) return { text: member, rank: 2, words: [], prefixLength: 0, protocol: 0, port: 0 };
  const lengthMax = isIpv6 ? 128 : 32;
  const colon = comma < 0 ? -1 : key.indexOf(':', comma);
  return {
    text: member,
    rank: isIpv6 ? 1 : 0,
    words: isIpv6 ? ipv6Words() : [value],
    prefixLength: end === addressEnd ? lengthMax : readDecimal(key, end + 1, addressEnd, lengthMax),
    protocol: colon < 0 ? -1 : protocolNumber(key.slice(comma + 1, colon)),
    port: colon < 0 ? -1 : readDecimal(key, colon + 1, key.length, 65535),
  };
}

const ipv6Words = (): readonly number[] => [word(0), word(2), word(4), word(6)];

const word = (i: number): number => (GROUPS[i] ?? 0) * 65536 + (GROUPS[i + 1] ?? 0);

/** Address, prefix length and flag in one exact double of 39 bits; undefined if a member is anything but plain IPv4. */
function packIpv4(members: readonly Member[]): Float64Array | undefined {
  const packed = new Float64Array(members.length);
  for (let i = 0; i < members.length; i++) {
    const member = members[i] ?? ('' as Member);
    const nomatch = isNomatch(member);
    const end = nomatch ? member.length - NOMATCH.length : member.length;
    const slash = member.indexOf('/');
    const address = readIpv4(member, 0, slash < 0 ? end : slash);
    const length = slash < 0 ? 32 : readDecimal(member, slash + 1, end, 31);
    if (address < 0 || length < 0) return undefined;
    packed[i] = (address * 64 + length) * 2 + (nomatch ? 1 : 0);
  }
  return packed;
}

function unpackIpv4(packed: number): Member {
  const rest = Math.floor(packed / 2);
  const length = rest % 64;
  const address = formatIpv4((rest - length) / 64);
  const text = length === 32 ? address : `${address}/${length}`;
  return (packed % 2 === 1 ? text + NOMATCH : text) as Member;
}
