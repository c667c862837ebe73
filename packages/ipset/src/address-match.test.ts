import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchAddress } from './address-match.ts';
import { parseSetHeader } from './header-words.ts';
import type { SetName } from './set-name.ts';

const header = (type: string, words: string) => parseSetHeader('s' as SetName, type, words);
const inet = (type: string, more = '') => header(type, `family inet hashsize 64 maxelem 10${more}`);
const inet6 = (type: string, more = '') => header(type, `family inet6 hashsize 64 maxelem 10${more}`);
const yes = (...by: string[]) => ({ matched: true, excluded: false, by });
const no = { matched: false, excluded: false, by: [] };
const out = (...by: string[]) => ({ matched: false, excluded: true, by });

describe('sets of addresses', () => {
  it('match the same address, however it is written, and no other', () => {
    expect(matchAddress('10.0.0.1', inet('hash:ip'), ['10.0.0.2', '10.0.0.1'])).toEqual(yes('10.0.0.1'));
    expect(matchAddress('2001:DB8::0:1', inet6('hash:ip'), ['2001:db8::1'])).toEqual(yes('2001:db8::1'));
    expect(matchAddress('10.0.0.3', inet('hash:ip'), ['10.0.0.2', '10.0.0.1'])).toEqual(no);
  });

  it('never match across families, also not a mapped address', () => {
    expect(matchAddress('::ffff:10.0.0.1', inet('hash:ip'), ['10.0.0.1'])).toEqual(no);
    expect(matchAddress('10.0.0.1', inet6('hash:ip'), ['::ffff:10.0.0.1'])).toEqual(no);
  });

  it('apply netmask and bitmask before they compare', () => {
    expect(matchAddress('192.0.2.77', inet('hash:ip', ' netmask 24'), ['192.0.2.0'])).toEqual(yes('192.0.2.0'));
    expect(matchAddress('192.0.9.77', inet('hash:ip', ' bitmask 255.255.0.255'), ['192.0.0.77'])).toEqual(
      yes('192.0.0.77'),
    );
    expect(matchAddress('2001:db8::9', inet6('hash:ip', ' netmask 64'), ['2001:db8::'])).toEqual(yes('2001:db8::'));
    expect(matchAddress('192.0.3.7', header('bitmap:ip', 'range 192.0.0.0/16 netmask 24'), ['192.0.3.0'])).toEqual(
      yes('192.0.3.0'),
    );
  });
});

describe('sets of networks', () => {
  const nets = ['10.0.0.0/8', '10.1.0.0/16 nomatch', '10.1.2.0/24', '10.1.2.3 nomatch', '128.0.0.0/1'];

  it.each([
    ['10.9.9.9', yes('10.0.0.0/8')],
    ['10.1.9.9', out('10.1.0.0/16 nomatch')],
    ['10.1.2.9', yes('10.1.2.0/24')],
    ['10.1.2.3', out('10.1.2.3 nomatch')],
    ['200.0.0.1', yes('128.0.0.0/1')],
    ['11.0.0.1', no],
  ])('decide %s by the longest prefix over networks and exceptions', (address, expected) => {
    expect(matchAddress(address, inet('hash:net'), nets)).toEqual(expected);
    expect(matchAddress(address, inet('hash:net'), [...nets].reverse())).toEqual(expected);
  });

  it('decide IPv6 likewise', () => {
    const v6 = ['::/1', '2001:db8::/32 nomatch', '2001:db8:1::/48'];
    expect(matchAddress('2001:db8:1::7', inet6('hash:net'), v6)).toEqual(yes('2001:db8:1::/48'));
    expect(matchAddress('2001:db8:2::7', inet6('hash:net'), v6)).toEqual(out('2001:db8::/32 nomatch'));
    expect(matchAddress('9000::1', inet6('hash:net'), v6)).toEqual(no);
  });
});

describe('sets with more parts', () => {
  it('match by address and name every port', () => {
    const members = ['10.0.0.1,tcp:80', '10.0.0.1,udp:53', '10.0.0.2,tcp:80'];
    expect(matchAddress('10.0.0.1', inet('hash:ip,port'), members)).toEqual(yes('10.0.0.1,tcp:80', '10.0.0.1,udp:53'));
  });

  it('let an exception for one port leave the other ports alone', () => {
    const members = ['192.0.2.0/24,tcp:443', '192.0.2.128/25,tcp:443 nomatch', '192.0.2.0/24,udp:53'];
    expect(matchAddress('192.0.2.200', inet('hash:net,port'), members)).toEqual(yes('192.0.2.0/24,udp:53'));
    expect(matchAddress('192.0.2.200', inet('hash:net,port'), members.slice(0, 2))).toEqual(
      out('192.0.2.128/25,tcp:443 nomatch'),
    );
  });

  it('know the types that hold no address', () => {
    expect(matchAddress('0.0.0.80', header('bitmap:port', 'range 0-100'), ['80'])).toEqual(no);
    expect(matchAddress('10.0.0.1', header('hash:mac', 'hashsize 64'), ['00:00:5E:00:53:AF'])).toEqual(no);
    expect(
      matchAddress('192.0.2.1', header('bitmap:ip,mac', 'range 192.0.2.0/24'), ['192.0.2.1,00:00:5E:00:53:AF']),
    ).toEqual(yes('192.0.2.1,00:00:5E:00:53:AF'));
  });
});

it('looks into a list through its members, of both families, and passes over those it is not given', () => {
  const sets = new Map([
    ['v4', { header: inet('hash:net'), members: ['10.0.0.0/8', '10.1.0.0/16 nomatch'] }],
    ['v6', { header: inet6('hash:ip'), members: ['2001:db8::1'] }],
    ['more', { header: inet('hash:ip'), members: ['10.1.0.1'] }],
  ]);
  const list = header('list:set', 'size 8');
  const match = (address: string, members: string[]) => matchAddress(address, list, members, (name) => sets.get(name));
  expect(match('10.0.0.1', ['gone', 'v4', 'v6'])).toEqual(yes('v4'));
  expect(match('2001:db8::1', ['v4', 'v6'])).toEqual(yes('v6'));
  expect(match('10.1.0.1', ['v4'])).toEqual(out('v4'));
  expect(match('10.1.0.1', ['v4', 'more'])).toEqual(yes('more'));
  expect(match('192.0.2.1', ['v4', 'v6'])).toEqual(no);
});

it('matches nothing for a text that is no address', () => {
  expect(matchAddress('localhost', inet('hash:net'), ['0.0.0.0/1', '128.0.0.0/1'])).toEqual(no);
});

it('agrees with a model that tries every prefix length from the longest on', () => {
  const octets = fc.array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: 4, maxLength: 4 });
  const element = fc.record({ octets, length: fc.integer({ min: 1, max: 32 }), nomatch: fc.boolean() });
  const bits = (parts: readonly number[]) => parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(octets, fc.array(element, { maxLength: 12 }), (address, elements) => {
      const byKey = new Map(elements.map((e) => [bits(e.octets).slice(0, e.length), e]));
      const members = [...byKey.values()].map((e) => `${e.octets.join('.')}/${e.length}${e.nomatch ? ' nomatch' : ''}`);
      let hit: { readonly nomatch: boolean } | undefined;
      for (let length = 32; length > 0 && hit === undefined; length--) hit = byKey.get(bits(address).slice(0, length));
      const match = matchAddress(address.join('.'), inet('hash:net'), members);
      expect([match.matched, match.excluded]).toEqual([hit?.nomatch === false, hit?.nomatch === true]);
    }),
  );
});
