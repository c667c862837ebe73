import type { Family } from './family.ts';
import { formatIpv6, readIpv6 } from './ip-address.ts';
import { type Member, NOMATCH } from './member.ts';
import { protocolName, protocolNumber } from './protocol.ts';

/**
 * The member that an element of ipset's output is, for sets of any type. Tolerant: what it does not know stays as it
 * is. It evens out what differs from host to host for one and the same element: a protocol printed as a number where
 * /etc/protocols is missing (`6:80` is `tcp:80`: measured), and the spelling of IPv6 by another C library.
 */
export function memberFromKernel(type: string, family: Family | null, element: string, nomatch: boolean): Member {
  const text = evenOut(type, family, element);
  return (nomatch ? text + NOMATCH : text) as Member;
}

const GROUPS = new Uint16Array(8);

function evenOut(type: string, family: Family | null, element: string): string {
  if (type === 'hash:ip' || type === 'hash:net') return family === 'inet6' ? evenOutIpv6(element) : element;
  if (!type.startsWith('hash:') || !type.includes(',')) return element;
  const parts = element.split(',');
  const dimensions = type.slice('hash:'.length).split(',');
  return parts.map((part, i) => evenOutPart(dimensions[i], family, part)).join(',');
}

function evenOutPart(dimension: string | undefined, family: Family | null, part: string): string {
  if (dimension === 'port') return evenOutPort(part);
  if (family === 'inet6' && (dimension === 'ip' || dimension === 'net')) return evenOutIpv6(part);
  return part;
}

function evenOutPort(part: string): string {
  const first = part.charCodeAt(0);
  if (first < 48 || first > 57) return part;
  const colon = part.indexOf(':');
  const number = colon < 0 ? -1 : protocolNumber(part.slice(0, colon));
  return number < 0 ? part : protocolName(number) + part.slice(colon);
}

function evenOutIpv6(text: string): string {
  const slash = text.indexOf('/');
  const end = slash < 0 ? text.length : slash;
  if (!readIpv6(text, 0, end, GROUPS)) return text;
  return slash < 0 ? formatIpv6(GROUPS) : formatIpv6(GROUPS) + text.slice(slash);
}
