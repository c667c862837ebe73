/** An IP address. IPv4 as an unsigned 32-bit number, IPv6 as eight 16-bit groups, both most significant first. */
export type IpAddress =
  | { readonly family: 'inet'; readonly value: number }
  | { readonly family: 'inet6'; readonly groups: readonly number[] };

/** An address with a prefix length; `hostBits` tells that bits beyond it were set (they are kept in `address`). */
export interface IpNetwork {
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly hostBits: boolean;
}

/**
 * A strictly written address: four decimal octets without leading zeros, or IPv6 in any of the forms of RFC 4291.
 * `10.1`, `010.0.0.1`, `0xa000001`, names, zones (`%eth0`) and surrounding spaces are no addresses here, though ipset
 * would take them (measured: it reads octal, short forms and looks names up in DNS).
 */
export function parseIp(text: string): IpAddress | undefined {
  const value = readIpv4(text, 0, text.length);
  if (value >= 0) return { family: 'inet', value };
  const groups = new Uint16Array(8);
  return readIpv6(text, 0, text.length, groups) ? { family: 'inet6', groups: Array.from(groups) } : undefined;
}

/** `ADDRESS/LENGTH`, or a bare address as a network of one. The length is decimal, without leading zeros. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  const address = parseIp(slash < 0 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  const prefixLengthMax = address.family === 'inet' ? 32 : 128;
  if (slash < 0) return { address, prefixLength: prefixLengthMax, hostBits: false };
  const prefixLength = readDecimal(text, slash + 1, text.length, prefixLengthMax);
  if (prefixLength < 0) return undefined;
  return { address, prefixLength, hostBits: hasHostBits(address, prefixLength) };
}

/** The text that ipset prints: see `formatIpv6` for IPv6. */
export const formatIp = (address: IpAddress): string =>
  address.family === 'inet' ? formatIpv4(address.value) : formatIpv6(address.groups);

/** Reads four strict octets in `text[start, end)`: an unsigned 32-bit number, or -1. No allocation. */
export function readIpv4(text: string, start: number, end: number): number {
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (digits > 0 && octet === 0) return -1;
      octet = octet * 10 + code - 48;
      if (octet > 255) return -1;
      digits++;
    } else if (code === DOT && digits > 0 && dots < 3) {
      value = value * 256 + octet;
      octet = 0;
      digits = 0;
      dots++;
    } else {
      return -1;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : -1;
}

/** Reads an IPv6 address in `text[start, end)` into eight groups; false if it is none. No allocation. */
export function readIpv6(text: string, start: number, end: number, into: Uint16Array): boolean {
  let count = 0;
  let gapAt = -1;
  let i = start;
  if (text.charCodeAt(i) === COLON) {
    if (end - i < 2 || text.charCodeAt(i + 1) !== COLON) return false;
    gapAt = 0;
    i += 2;
  }
  while (i < end) {
    if (count === 8) return false;
    const groupStart = i;
    let group = 0;
    for (; i < end && i - groupStart < 4; i++) {
      const digit = hexDigit(text.charCodeAt(i));
      if (digit < 0) break;
      group = group * 16 + digit;
    }
    if (i < end && text.charCodeAt(i) === DOT) {
      const tail = count <= 6 ? readIpv4(text, groupStart, end) : -1;
      if (tail < 0) return false;
      into[count] = tail >>> 16;
      into[count + 1] = tail & 0xffff;
      count += 2;
      break;
    }
    if (i === groupStart) return false;
    into[count] = group;
    count++;
    if (i === end) break;
    if (text.charCodeAt(i) !== COLON) return false;
    i++;
    if (i === end) return false;
    if (text.charCodeAt(i) === COLON) {
      if (gapAt >= 0) return false;
      gapAt = count;
      i++;
    }
  }
  if (gapAt < 0) return count === 8;
  if (count > 7) return false;
  into.copyWithin(8 - (count - gapAt), gapAt, count);
  into.fill(0, gapAt, 8 - (count - gapAt));
  return true;
}

/** Reads a decimal number without leading zeros in `text[start, end)`: 0 to `max`, or -1. No allocation. */
export function readDecimal(text: string, start: number, end: number, max: number): number {
  if (start >= end || (end - start > 1 && text.charCodeAt(start) === 48)) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return -1;
    value = value * 10 + code - 48;
    if (value > max) return -1;
  }
  return value;
}

/** Dotted decimal of an unsigned 32-bit number. */
export const formatIpv4 = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

/**
 * RFC 5952 text as `ipset save` prints it: lower case, the first longest run of two or more zero groups as `::`; an
 * address whose first 96 bits are zero, or zero but for `ffff`, ends in dotted decimal (measured with ipset 7.17, whose
 * text comes from inet_ntop(3): `::ffff:192.0.2.1`, and also `::0.1.0.2`; but `::1`, `::ffff`).
 */
export function formatIpv6(groups: ArrayLike<number>): string {
  let gapAt = -1;
  let gapLength = 1;
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (i + length < 8 && groups[i + length] === 0) length++;
    if (length > gapLength) {
      gapAt = i;
      gapLength = length;
    }
    if (length > 0) i += length - 1;
  }
  const dotted = gapAt === 0 && (gapLength === 6 || (gapLength === 5 && groups[5] === 0xffff));
  const last = dotted ? 6 : 8;
  let text = '';
  for (let i = 0; i < last; i++) {
    if (i === gapAt) {
      text += '::';
      i += gapLength - 1;
    } else {
      if (i > 0 && i !== gapAt + gapLength) text += ':';
      text += (groups[i] ?? 0).toString(16);
    }
  }
  if (!dotted) return text;
  const tail = formatIpv4(((groups[6] ?? 0) * 65536 + (groups[7] ?? 0)) >>> 0);
  return gapLength === 6 ? text + tail : `${text}:${tail}`;
}

/** True if a bit beyond the prefix is set. */
function hasHostBits(address: IpAddress, prefixLength: number): boolean {
  if (address.family === 'inet') return maskIpv4(address.value, prefixLength) !== address.value;
  return address.groups.some((group, i) => maskGroup(group, i, prefixLength) !== group);
}

/** The network of an IPv4 address: bits beyond the prefix cut. */
export const maskIpv4 = (value: number, prefixLength: number): number =>
  prefixLength === 0 ? 0 : (value & (-1 << (32 - prefixLength))) >>> 0;

/** Group `index` of an IPv6 address with bits beyond the prefix cut. */
export function maskGroup(group: number, index: number, prefixLength: number): number {
  const bits = prefixLength - index * 16;
  if (bits >= 16) return group;
  return bits <= 0 ? 0 : group & (0xffff << (16 - bits)) & 0xffff;
}

const COLON = 58;
const DOT = 46;

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}
