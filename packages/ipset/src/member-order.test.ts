import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Member } from './member.ts';
import { compareMembers, sortMembers } from './member-order.ts';

const inOrder = [
  '0.0.0.0/0',
  '0.0.0.0/1',
  '9.0.0.0/8',
  '10.0.0.0/8',
  '10.0.0.0/8 nomatch',
  '10.0.0.0/16',
  '10.0.0.2',
  '10.0.0.2,tcp:80',
  '10.0.0.2,tcp:443',
  '10.0.0.2,udp:53',
  '10.0.0.2,sctp:1',
  '10.0.0.10',
  '192.0.2.1',
  '::/0',
  '::1',
  '2001:db8::/32',
  '2001:db8::2',
  '2001:db8::10',
  'sk-v4-t.a',
  'sk-v4-t.b',
] as Member[];

const shuffled = fc.shuffledSubarray(inOrder, { minLength: 1 });

it('orders by family, address as a number, prefix length, protocol and port', () => {
  fc.assert(
    fc.property(shuffled, (members) => {
      expect(sortMembers(members)).toEqual(inOrder.filter((member) => members.includes(member)));
      expect([...members].sort(compareMembers)).toEqual(sortMembers(members));
    }),
  );
});

it('is a total order: 0 for equal texts only, and opposite the other way round', () => {
  const any = fc.oneof(
    fc.constantFrom(...inOrder),
    fc.string().map((text) => text as Member),
  );
  fc.assert(
    fc.property(any, any, (a, b) => {
      expect(Math.sign(compareMembers(a, b)) + Math.sign(compareMembers(b, a))).toBe(0);
      expect(compareMembers(a, b) === 0).toBe(a === b);
    }),
  );
});

it('sorts plain IPv4 as numbers to the same result as by comparison', () => {
  const plain = fc
    .tuple(fc.ipV4(), fc.option(fc.nat(31)), fc.boolean())
    .map(
      ([ip, length, nomatch]) => `${ip}${length === null ? '' : `/${length}`}${nomatch ? ' nomatch' : ''}` as Member,
    );
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 50 }), (members) => {
      expect(sortMembers(members)).toEqual([...members].sort(compareMembers));
    }),
  );
});
