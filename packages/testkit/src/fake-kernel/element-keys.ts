import { bitsOf, type FakeFamily, formatAddress, masked } from './fake-address.ts';
import type { FakeSet } from './fake-set.ts';
import { type ElementRequest, type PortRange, portText } from './ipset-element.ts';
import { kernelError, WORDS } from './ipset-error.ts';

/** One element of a set, by the text that `save` prints. */
export interface ElementChange {
  readonly key: string;
}

/**
 * What the kernel makes of a request for the set that it finds, which may be another one than ipset believed: an
 * address of another family or with other parts than the type has is a protocol error; a network sent to a hash:ip is
 * expanded, and an address sent to a hash:net becomes a network of one, in silence.
 */
export function expandElement(set: FakeSet, request: ElementRequest): readonly ElementChange[] {
  if (set.type === 'list:set' || request.kind === 'name') {
    if (set.type !== 'list:set' || request.kind !== 'name') throw kernelError(WORDS.protocol);
    return [{ key: request.name }];
  }
  const { family } = set.parameters;
  // The one check that comes before the family's (hash_ip6_uadt in net/netfilter/ipset/ip_set_hash_ip.c).
  const isHost6 = set.type === 'hash:ip' && family === 'inet6';
  if (isHost6 && request.prefixLength !== null && request.prefixLength !== 128) throw kernelError(WORDS.cidr);
  const hasPorts = set.type.endsWith(',port');
  const hasIface = set.type.endsWith(',iface');
  const fits =
    request.family === family && (request.ports !== null) === hasPorts && (request.iface !== null) === hasIface;
  if (!fits) throw kernelError(WORDS.protocol);
  const addresses = set.type.includes('net') ? networks(set, request) : hosts(set, request);
  const seconds = request.ports !== null ? portTexts(request.ports) : request.iface !== null ? [request.iface] : [null];
  return addresses.flatMap((address) =>
    seconds.map((second) => ({ key: second === null ? address : `${address},${second}` })),
  );
}

type AddressRequest = Extract<ElementRequest, { kind: 'address' }>;

function hosts({ type, parameters }: FakeSet, { family, from, to, prefixLength, ports }: AddressRequest): string[] {
  const bits = bitsOf(family);
  let first = from;
  let last = to;
  if (prefixLength !== null && prefixLength < bits) {
    first = masked(from, prefixLength, family);
    last = first + (1n << BigInt(bits - prefixLength)) - 1n;
  }
  if (type.startsWith('bitmap:')) {
    const [low, high] = parameters.range ?? [0n, -1n];
    if (first < low || last > high) throw kernelError(WORDS.range);
  } else if (first === 0n) {
    throw kernelError(ports === null ? WORDS.nullElement : WORDS.invalid);
  }
  const texts = new Set<string>();
  for (let address = first; address <= last; address++) texts.add(hostText(address, family, parameters.netmask));
  return [...texts];
}

function hostText(address: bigint, family: FakeFamily, netmask: number | null): string {
  return formatAddress(netmask === null ? address : masked(address, netmask, family), family);
}

function networks(_set: FakeSet, { family, from, to, prefixLength }: AddressRequest): string[] {
  const bits = bitsOf(family);
  if (prefixLength === 0) throw kernelError(WORDS.cidr);
  if (prefixLength !== null || from === to) return [networkText(from, prefixLength ?? bits, family)];
  const texts: string[] = [];
  for (let start = from; start <= to; ) {
    let length = bits;
    while (
      length > 1 &&
      masked(start, length - 1, family) === start &&
      start + (1n << BigInt(bits - length + 1)) - 1n <= to
    )
      length--;
    texts.push(networkText(start, length, family));
    start += 1n << BigInt(bits - length);
  }
  return texts;
}

function networkText(address: bigint, prefixLength: number, family: FakeFamily): string {
  const text = formatAddress(masked(address, prefixLength, family), family);
  return prefixLength === bitsOf(family) ? text : `${text}/${prefixLength}`;
}

function portTexts({ protocol, from, to }: PortRange): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => portText(protocol, from + i));
}
