import { protocolName, protocolNumber } from '@setkeeper/ipset';
import { bitsOf, type FakeFamily, resolve } from './fake-address.ts';
import { IpsetError, syntaxError } from './ipset-error.ts';
import { numberWord } from './ipset-options.ts';

/** An element as ipset sends it: what the kernel makes of it depends on the set that it finds. */
export type ElementRequest =
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'address';
      readonly family: FakeFamily;
      readonly from: bigint;
      readonly to: bigint;
      readonly prefixLength: number | null;
      readonly ports: PortRange | null;
      readonly iface: string | null;
    };

export interface PortRange {
  readonly protocol: number;
  readonly from: number;
  readonly to: number;
}

const IFACE_MAX = 15;
const PORT_MAX = 65_535;
const SERVICES: Readonly<Record<string, number>> = { http: 80, https: 443, domain: 53, ssh: 22, smtp: 25 };

/** Parses an element for a set that ipset believes to be of this type and family. */
export function parseElement(type: string, family: FakeFamily, text: string): ElementRequest {
  if (type === 'list:set') return { kind: 'name', name: text };
  const [first = '', second, ...more] = text.split(',');
  const isTwofold = type.includes(',');
  if (!isTwofold && second !== undefined)
    throw syntaxError(`Elem separator in ${text}, but settype ${type} supports none.`);
  if (isTwofold && second === undefined) throw syntaxError(`Second element is missing from ${text}.`);
  if (more.length > 0) throw syntaxError(`Third element is missing from ${text}.`);
  const isNet = type.includes('net');
  const address = parseAddress(first, family, isNet);
  const ports = type.endsWith(',port') ? parsePorts(second ?? '') : null;
  const iface = type.endsWith(',iface') ? parseIface(second ?? '') : null;
  return { kind: 'address', family, ...address, ports, iface };
}

function parseAddress(
  text: string,
  family: FakeFamily,
  isNet: boolean,
): { from: bigint; to: bigint; prefixLength: number | null } {
  const slash = text.indexOf('/');
  if (slash >= 0) {
    if (family === 'inet6' && !isNet) throw syntaxError(`plain IP address must be supplied: ${text}`);
    const prefixLength = numberWord(text.slice(slash + 1), 0, bitsOf(family));
    const from = resolved(text.slice(0, slash), family);
    return { from, to: from, prefixLength };
  }
  const dash = text.indexOf('-');
  if (family === 'inet' && dash > 0 && resolve(text, family) === null) {
    const ends = [resolved(text.slice(0, dash), family), resolved(text.slice(dash + 1), family)];
    const [from = 0n, to = 0n] =
      ends[0] !== undefined && ends[1] !== undefined && ends[0] > ends[1] ? ends.reverse() : ends;
    return { from, to, prefixLength: null };
  }
  const from = resolved(text, family);
  return { from, to: from, prefixLength: null };
}

function resolved(text: string, family: FakeFamily): bigint {
  const value = resolve(text, family);
  if (value === null)
    throw syntaxError(`cannot parse ${text}: resolving to ${family === 'inet' ? 'IPv4' : 'IPv6'} address failed`);
  return value;
}

function parsePorts(text: string): PortRange {
  const colon = text.indexOf(':');
  const word = colon < 0 ? 'tcp' : text.slice(0, colon);
  const protocol = protocolNumber(word.toLowerCase());
  if (protocol < 0 || protocol > 255) throw syntaxError(`cannot parse '${word}' as a protocol`);
  const [from = '', to = from] = (colon < 0 ? text : text.slice(colon + 1)).split('-');
  return { protocol, from: parsePort(from, word), to: parsePort(to, word) };
}

/** Without a line number: ipset tries a number, then a service's name, and prints what each attempt said. */
function parsePort(text: string, protocol: string): number {
  const service = SERVICES[text];
  if (service !== undefined) return service;
  if (/^[0-9]+$/.test(text) && Number(text) <= PORT_MAX) return Number(text);
  const first = /^[0-9]+$/.test(text) ? `'${text}' is out of range 0-${PORT_MAX}` : `'${text}' is invalid as number`;
  // A protocol given by its name is tried as a number too.
  const second = /^[0-9]+$/.test(protocol) ? '' : `Syntax error: '${protocol}' is invalid as number\n`;
  throw new IpsetError('bare', `Syntax error: ${first}\n${second}cannot parse '${text}' as a ${protocol} port`);
}

function parseIface(text: string): string {
  if (text.length > IFACE_MAX) throw syntaxError(`interface name '${text}' is longer than ${IFACE_MAX} characters`);
  return text;
}

/** `tcp:80`, as ipset prints it. */
export const portText = (protocol: number, port: number): string => `${protocolName(protocol)}:${port}`;
