import { AssertionError } from 'node:assert';
import type { Family } from './family.ts';
import { formatIpv4, formatIpv6, maskGroup, maskIpv4, readDecimal, readIpv4, readIpv6 } from './ip-address.ts';
import { type Member, NOMATCH } from './member.ts';
import { addressFault, type CanonicalMember, type MemberFault, quoted } from './member-fault.ts';
import { PORT_PROTOCOLS } from './protocol.ts';
import { isWritableSetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/**
 * The canonical member that a strictly written text means, or why it is none. Nothing is guessed, looked up or expanded:
 * no octal or short IPv4, no names, no ranges, no CIDR in `hash:ip` (`/32` and `/128` are dropped). Host bits in
 * `hash:net` are cut, with a warning. An IPv4-mapped IPv6 address stays IPv6. `0.0.0.0` and `::` are refused where the
 * kernel cannot store them (`hash:ip`, `hash:ip,port`: measured); `0.0.0.0/0` in `hash:net` is one member here and two
 * elements in the kernel (`kernelElements`). `family` is null for a `list:set` alone, whose members are set names.
 * IPv4 takes about 0.1 microseconds, and no string is made where the text is canonical already.
 */
export function canonicalMember(type: ManagedType, family: Family | null, text: string): CanonicalMember {
  if (type === 'list:set') return canonicalListMember(text);
  if (family === null) throw new AssertionError({ message: `a set of type ${type} has a family` });
  switch (type) {
    case 'hash:ip':
      return canonicalAddress(family, text);
    case 'hash:net':
      return canonicalNetwork(family, text);
    case 'hash:ip,port':
      return canonicalAddressPort(family, text);
  }
}

/** One buffer for all IPv6 reading: these functions are synchronous, and the groups are used before the next read. */
const GROUPS = new Uint16Array(8);

const accepted = (text: string): CanonicalMember => ({ ok: true, member: text as Member });

const refused = (fault: MemberFault): CanonicalMember => ({ ok: false, code: fault.code, reason: fault.reason });

function canonicalListMember(text: string): CanonicalMember {
  if (isWritableSetName(text)) return accepted(text);
  return refused({ code: 'bad-set-name', reason: `${quoted(text)} is no set name that may be written` });
}

function canonicalAddress(family: Family, text: string): CanonicalMember {
  const slash = text.indexOf('/');
  const end = slash < 0 ? text.length : slash;
  if (text.endsWith(NOMATCH)) return refused(NOMATCH_REFUSED);
  if (slash >= 0) {
    const fault = hostPrefixFault(family, text, slash);
    if (fault !== undefined) return refused(fault);
  }
  const address = readAddress(family, text, end);
  return typeof address === 'string' ? accepted(address) : refused(address);
}

function canonicalAddressPort(family: Family, text: string): CanonicalMember {
  if (text.endsWith(NOMATCH)) return refused(NOMATCH_REFUSED);
  const comma = text.indexOf(',');
  if (comma < 0) {
    return refused({ code: 'port-missing', reason: `${quoted(text)} is not ADDRESS,PROTOCOL:PORT` });
  }
  const slash = text.indexOf('/');
  if (slash >= 0 && slash < comma) {
    const fault = hostPrefixFault(family, text.slice(0, comma), slash);
    if (fault !== undefined) return refused(fault);
  }
  const address = readAddress(family, text.slice(0, comma), slash >= 0 && slash < comma ? slash : comma);
  if (typeof address !== 'string') return refused(address);
  const colon = text.indexOf(':', comma);
  const protocol = colon < 0 ? undefined : PROTOCOLS.get(text.slice(comma + 1, colon));
  if (protocol === undefined) {
    return refused({ code: 'bad-protocol', reason: `${quoted(text)}: the protocol is one of tcp, udp, sctp` });
  }
  const port = readDecimal(text, colon + 1, text.length, 65535);
  if (port < 1) {
    return refused({ code: 'bad-port', reason: `${quoted(text)}: a port is a number from 1 to 65535, never a name` });
  }
  return accepted(`${address},${protocol}:${port}`);
}

function canonicalNetwork(family: Family, text: string): CanonicalMember {
  const flag = text.endsWith(NOMATCH) ? NOMATCH : '';
  const end = text.length - flag.length;
  const slash = text.indexOf('/');
  if (slash < 0) {
    const address = readHost(family, text, end);
    return typeof address === 'string' ? accepted(address + flag) : refused(address);
  }
  const lengthMax = family === 'inet' ? 32 : 128;
  const length = readDecimal(text, slash + 1, end, lengthMax);
  const network = length < 0 ? undefined : readNetwork(family, text, slash, length);
  if (network === undefined) {
    const fault = addressFault(family, text.slice(0, slash));
    if (fault !== undefined) return refused(fault);
    return refused({
      code: 'bad-prefix',
      reason: `${quoted(text)}: the prefix length is a number from 0 to ${lengthMax}`,
    });
  }
  const member = (length === lengthMax ? network.text : `${network.text}/${length}`) + flag;
  if (!network.cut) return accepted(member);
  return {
    ok: true,
    member: member as Member,
    warning: `${quoted(text)} has bits beyond its prefix length; they are cut: ${member}`,
  };
}

/** Protocols as they may be written, by name or by number, with the name that ipset prints. */
const PROTOCOLS: ReadonlyMap<string, string> = new Map(
  Object.entries(PORT_PROTOCOLS).flatMap(([name, number]): [string, string][] => [
    [name, name],
    [String(number), name],
  ]),
);

const NOMATCH_REFUSED: MemberFault = {
  code: 'nomatch-not-allowed',
  reason: 'only a network of a hash:net set can be an exception (nomatch)',
};

function hostPrefixFault(family: Family, text: string, slash: number): MemberFault | undefined {
  const lengthMax = family === 'inet' ? 32 : 128;
  const length = readDecimal(text, slash + 1, text.length, 128);
  if (length === lengthMax) return undefined;
  return (
    addressFault(family, text.slice(0, slash)) ?? {
      code: length < 0 || length > lengthMax ? 'bad-prefix' : 'prefix-not-allowed',
      reason: `${quoted(text)} is not one address: only /${lengthMax} may follow it here`,
    }
  );
}

/** Like `readHost`, but refuses the null address. */
function readAddress(family: Family, text: string, end: number): string | MemberFault {
  const address = readHost(family, text, end);
  if (address !== '0.0.0.0' && address !== '::') return address;
  return { code: 'null-address', reason: `${address} cannot be stored in a set of addresses` };
}

/** The canonical text of the address in `text[0, end)`, or its fault. */
function readHost(family: Family, text: string, end: number): string | MemberFault {
  if (family === 'inet') {
    if (readIpv4(text, 0, end) >= 0) return end === text.length ? text : text.slice(0, end);
  } else if (readIpv6(text, 0, end, GROUPS)) {
    return formatIpv6(GROUPS);
  }
  const address = end === text.length ? text : text.slice(0, end);
  return addressFault(family, address) ?? { code: 'not-an-address', reason: `${quoted(address)} is no address` };
}

function readNetwork(
  family: Family,
  text: string,
  end: number,
  length: number,
): { readonly text: string; readonly cut: boolean } | undefined {
  if (family === 'inet') {
    const value = readIpv4(text, 0, end);
    if (value < 0) return undefined;
    const network = maskIpv4(value, length);
    if (network === value) return { text: text.slice(0, end), cut: false };
    return { text: formatIpv4(network), cut: true };
  }
  if (!readIpv6(text, 0, end, GROUPS)) return undefined;
  let cut = false;
  for (let i = 0; i < 8; i++) {
    const group = GROUPS[i] ?? 0;
    const kept = maskGroup(group, i, length);
    if (kept !== group) cut = true;
    GROUPS[i] = kept;
  }
  return { text: formatIpv6(GROUPS), cut };
}
