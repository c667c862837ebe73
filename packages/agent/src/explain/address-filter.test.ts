import { formatIp, matchAddress, parseIp, parseSetHeader, type SetName } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressFilter } from './address-filter.ts';

const header = (type: string, words: string) => parseSetHeader('s' as SetName, type, words);
const octet = fc.constantFrom(0, 1, 2, 10, 255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
const group = fc.constantFrom('0', '1', 'ff');
/** Canonical, as elements are given to a filter: `2001:db8:0:0:1:1:1:ff` is `2001:db8::1:1:1:ff`. */
const ipv6 = fc.tuple(group, group, group).map(([a, b, c]) => canonical(`2001:db8:${a}:${b}:1:1:1:${c}`));
const suffix = fc.constantFrom('', ',tcp:80', ',udp:53');
const nomatch = fc.constantFrom('', ' nomatch');

function canonical(text: string): string {
  const address = parseIp(text);
  if (address === undefined) throw new Error(text);
  return formatIp(address);
}

/** What the filter lets through decides like the whole set. */
function decidesAlike(address: string, type: string, words: string, elements: readonly string[]): void {
  const parsed = parseIp(address);
  if (parsed === undefined) throw new Error(address);
  const filter = new AddressFilter(parsed);
  const set = header(type, words);
  const taken = elements.filter((element) => filter.takes(element, set));
  expect(matchAddress(parsed, set, taken)).toEqual(matchAddress(parsed, set, elements));
}

describe('AddressFilter', () => {
  it('lets through all that decides about an IPv4 address', () => {
    const element = fc.tuple(ipv4, fc.integer({ min: 1, max: 32 }), suffix, nomatch);
    fc.assert(
      fc.property(ipv4, fc.array(element, { maxLength: 20 }), (address, parts) => {
        const networks = parts.map(([base, length, , flag]) => `${base}${length === 32 ? '' : `/${length}`}${flag}`);
        decidesAlike(address, 'hash:net', 'family inet hashsize 64 maxelem 9', networks);
        const ports = parts.map(([base, , port]) => `${base}${port === '' ? ',tcp:1' : port}`);
        decidesAlike(address, 'hash:ip,port', 'family inet hashsize 64 maxelem 9', ports);
      }),
    );
  });

  it('lets through all that decides about an IPv6 address', () => {
    const element = fc.tuple(ipv6, fc.integer({ min: 16, max: 128 }), nomatch);
    fc.assert(
      fc.property(ipv6, fc.array(element, { maxLength: 20 }), (address, parts) => {
        const networks = parts.map(([base, length, flag]) => `${base}${length === 128 ? '' : `/${length}`}${flag}`);
        decidesAlike(address, 'hash:net', 'family inet6 hashsize 64 maxelem 9', networks);
      }),
    );
  });

  it('minds a set that cuts addresses by a netmask', () => {
    decidesAlike('10.1.2.3', 'hash:ip', 'family inet hashsize 64 maxelem 9 netmask 24', ['10.1.2.0', '10.1.3.0']);
  });

  it('takes the numbers of a dump for what their text would be', () => {
    const parsed = parseIp('10.1.2.3');
    if (parsed === undefined) throw new Error('no address');
    const filter = new AddressFilter(parsed);
    const asked = [
      [0x0a000000, 8],
      [0x0a010203, 32],
      [0x0b000000, 8],
    ] as const;
    expect(asked.map(([value, length]) => filter.takesIpv4(value, length))).toEqual([true, true, false]);
  });
});
