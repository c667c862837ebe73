import { formatIp, parseIp } from '@setkeeper/ipset';

export type FakeFamily = 'inet' | 'inet6';

/** Host names that the fake resolver knows, as /etc/hosts would. */
const HOSTS: Readonly<Record<string, Readonly<Record<FakeFamily, string>>>> = {
  localhost: { inet: '127.0.0.1', inet6: '::1' },
};

export const bitsOf = (family: FakeFamily): number => (family === 'inet' ? 32 : 128);

/** An address as getaddrinfo(3) takes it: IPv4 also octal, hexadecimal and short, and names that are known. */
export function resolve(text: string, family: FakeFamily): bigint | null {
  const known = HOSTS[text];
  if (known !== undefined) return resolve(known[family], family);
  if (family === 'inet') return resolveIpv4(text);
  const address = parseIp(text);
  return address?.family === 'inet6'
    ? address.groups.reduce((value, group) => value * 65536n + BigInt(group), 0n)
    : null;
}

function resolveIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length > 4) return null;
  let value = 0n;
  for (const [index, part] of parts.entries()) {
    if (!/^(?:0x[0-9a-f]+|[0-9]+)$/i.test(part) || /^0[0-9]*[89]/.test(part)) return null;
    const number = part.startsWith('0') && /^0[0-7]+$/.test(part) ? BigInt(`0o${part.slice(1)}`) : BigInt(part);
    const isLast = index === parts.length - 1;
    const room = isLast ? 256n ** BigInt(5 - parts.length) : 256n;
    if (number >= room) return null;
    value = isLast ? value * room + number : value * 256n + number;
  }
  return value;
}

/** The text that ipset prints. */
export function formatAddress(value: bigint, family: FakeFamily): string {
  if (family === 'inet') return formatIp({ family, value: Number(value) });
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(16 * (7 - i))) & 0xffffn));
  return formatIp({ family, groups });
}

/** The network part of an address. */
export function masked(value: bigint, prefixLength: number, family: FakeFamily): bigint {
  const hostBits = BigInt(bitsOf(family) - prefixLength);
  return (value >> hostBits) << hostBits;
}
