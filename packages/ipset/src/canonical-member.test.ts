import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalMember } from './canonical-member.ts';
import type { Family } from './family.ts';
import { memberFromKernel } from './kernel-member.ts';
import { isNomatch, memberKey } from './member.ts';
import { renderElement } from './render-operation.ts';
import type { ManagedType } from './set-type.ts';

const code = (type: ManagedType, family: Family | null, text: string) => {
  const result = canonicalMember(type, family, text);
  return result.ok ? `ok ${result.member}` : result.code;
};

describe('hash:ip', () => {
  it.each([
    ['inet', '10.0.0.1', 'ok 10.0.0.1'],
    ['inet', '10.0.0.1/32', 'ok 10.0.0.1'],
    ['inet', '255.255.255.255', 'ok 255.255.255.255'],
    ['inet', '10.0.0.0/24', 'prefix-not-allowed'],
    ['inet', '10.0.0.1/33', 'bad-prefix'],
    ['inet', '10.0.0.1/', 'bad-prefix'],
    ['inet', '010.0.0.1', 'leading-zero'],
    ['inet', '10.1', 'not-an-address'],
    ['inet', '3221225986', 'not-an-address'],
    ['inet', 'localhost', 'not-an-address'],
    ['inet', 'localhost/32', 'not-an-address'],
    ['inet', '', 'not-an-address'],
    ['inet', '10.0.0.1 ', 'not-an-address'],
    ['inet', '10.0.0.1\nadd x 10.0.0.2', 'not-an-address'],
    ['inet', '10.0.0.1-10.0.0.9', 'range'],
    ['inet', '10.0.0.9-10.0.0.1', 'range'],
    ['inet', '2001:db8::1', 'wrong-family'],
    ['inet', '::ffff:192.0.2.1', 'wrong-family'],
    ['inet', '0.0.0.0', 'null-address'],
    ['inet', '10.0.0.1 nomatch', 'nomatch-not-allowed'],
    ['inet', '10.0.0.1,tcp:80', 'not-an-address'],
    ['inet6', '2001:DB8::0:1', 'ok 2001:db8::1'],
    ['inet6', '2001:db8::1/128', 'ok 2001:db8::1'],
    ['inet6', '::ffff:192.0.2.1', 'ok ::ffff:192.0.2.1'],
    ['inet6', '192.0.2.1', 'wrong-family'],
    ['inet6', '::', 'null-address'],
    ['inet6', '::/128', 'null-address'],
    ['inet6', '2001:db8::/64', 'prefix-not-allowed'],
    ['inet6', 'fe80::1%eth0', 'not-an-address'],
  ] as const)('in %s: %j is %s', (family, text, expected) => {
    expect(code('hash:ip', family, text)).toBe(expected);
  });
});

describe('hash:net', () => {
  it.each([
    ['inet', '10.0.0.0/8', 'ok 10.0.0.0/8'],
    ['inet', '10.1.2.3/8', 'ok 10.0.0.0/8'],
    ['inet', '10.1.2.3/32', 'ok 10.1.2.3'],
    ['inet', '10.1.2.3', 'ok 10.1.2.3'],
    ['inet', '0.0.0.0/0', 'ok 0.0.0.0/0'],
    ['inet', '0.0.0.0', 'ok 0.0.0.0'],
    ['inet', '10.1.0.0/16 nomatch', 'ok 10.1.0.0/16 nomatch'],
    ['inet', '10.1.2.3/32 nomatch', 'ok 10.1.2.3 nomatch'],
    ['inet', '10.0.0.0/8  nomatch', 'bad-prefix'],
    ['inet', '10.0.0.0/8 nomatch nomatch', 'bad-prefix'],
    ['inet', '10.0.0.0/08', 'bad-prefix'],
    ['inet', '10.0.0.0/255.0.0.0', 'bad-prefix'],
    ['inet', '10.0.0/8', 'not-an-address'],
    ['inet', '2001:db8::/32', 'wrong-family'],
    ['inet6', '2001:db8::1/32', 'ok 2001:db8::/32'],
    ['inet6', '::ffff:198.51.100.7/120', 'ok ::ffff:198.51.100.0/120'],
    ['inet6', '::/0', 'ok ::/0'],
    ['inet6', '10.0.0.0/8', 'wrong-family'],
    ['inet6', '2001:db8::/129', 'bad-prefix'],
  ] as const)('in %s: %j is %s', (family, text, expected) => {
    expect(code('hash:net', family, text)).toBe(expected);
  });

  it('warns where host bits are cut, and only there', () => {
    expect(canonicalMember('hash:net', 'inet', '10.1.2.3/8')).toMatchObject({
      ok: true,
      member: '10.0.0.0/8',
      warning: expect.stringContaining('10.0.0.0/8'),
    });
    expect(canonicalMember('hash:net', 'inet', '10.0.0.0/8')).toEqual({ ok: true, member: '10.0.0.0/8' });
  });
});

describe('hash:ip,port', () => {
  it.each([
    ['inet', '10.0.0.1,tcp:8080', 'ok 10.0.0.1,tcp:8080'],
    ['inet', '10.0.0.1/32,tcp:8080', 'ok 10.0.0.1,tcp:8080'],
    ['inet', '10.0.0.1,6:8080', 'ok 10.0.0.1,tcp:8080'],
    ['inet', '10.0.0.1,17:53', 'ok 10.0.0.1,udp:53'],
    ['inet', '10.0.0.1,sctp:65535', 'ok 10.0.0.1,sctp:65535'],
    ['inet', '10.0.0.1,tcp:0', 'bad-port'],
    ['inet', '10.0.0.1,tcp:70000', 'bad-port'],
    ['inet', '10.0.0.1,tcp:http', 'bad-port'],
    ['inet', '10.0.0.1,tcp:080', 'bad-port'],
    ['inet', '10.0.0.1,sctp:', 'bad-port'],
    ['inet', '10.0.0.1,tcp:80-90', 'bad-port'],
    ['inet', '10.0.0.1,8080', 'bad-protocol'],
    ['inet', '10.0.0.1,TCP:80', 'bad-protocol'],
    ['inet', '10.0.0.1,icmp:8', 'bad-protocol'],
    ['inet', '10.0.0.1', 'port-missing'],
    ['inet', '10.0.0.0/24,tcp:80', 'prefix-not-allowed'],
    ['inet', '0.0.0.0,tcp:80', 'null-address'],
    ['inet', '2001:db8::1,tcp:80', 'wrong-family'],
    ['inet', '10.0.0.1,tcp:80 nomatch', 'nomatch-not-allowed'],
    ['inet6', '2001:DB8::1,udp:53', 'ok 2001:db8::1,udp:53'],
    ['inet6', '::,udp:53', 'null-address'],
  ] as const)('in %s: %j is %s', (family, text, expected) => {
    expect(code('hash:ip,port', family, text)).toBe(expected);
  });
});

it('takes only writable set names into a list', () => {
  expect(code('list:set', null, 'sk-v4-t.web')).toBe('ok sk-v4-t.web');
  for (const name of ['', '-f', 'a b', 'a nomatch', 'x'.repeat(32)])
    expect(code('list:set', null, name)).toBe('bad-set-name');
});

it('takes a missing family for a bug', () => {
  expect(() => canonicalMember('hash:ip', null, '10.0.0.1')).toThrow('has a family');
});

const address = { inet: fc.ipV4(), inet6: fc.ipV6() };
const prefixLength = { inet: fc.nat(32), inet6: fc.nat(128) };
const port = fc.tuple(fc.constantFrom('tcp', 'udp', 'sctp', '6', '17', '132'), fc.integer({ min: 1, max: 65535 }));
const wanted: fc.Arbitrary<readonly [ManagedType, Family, string]> = fc
  .constantFrom<Family>('inet', 'inet6')
  .chain((family) =>
    fc.oneof(
      address[family].map((text) => ['hash:ip', family, text] as const),
      fc
        .tuple(address[family], prefixLength[family], fc.constantFrom('', ' nomatch'))
        .map(([text, length, flag]) => ['hash:net', family, `${text}/${length}${flag}`] as const),
      fc
        .tuple(address[family], port)
        .map(([text, [protocol, number]]) => ['hash:ip,port', family, `${text},${protocol}:${number}`] as const),
    ),
  );

it('is idempotent: a canonical member is its own canonical form, without warning', () => {
  fc.assert(
    fc.property(wanted, ([type, family, text]) => {
      const first = canonicalMember(type, family, text);
      if (first.ok) expect(canonicalMember(type, family, first.member)).toEqual({ ok: true, member: first.member });
      else expect(first.code).toBe('null-address');
    }),
  );
});

it('comes back the same from the kernel: as printed, and with protocols as numbers', () => {
  fc.assert(
    fc.property(wanted, ([type, family, text]) => {
      const wantedMember = canonicalMember(type, family, text);
      if (!wantedMember.ok) return;
      const { member } = wantedMember;
      expect(memberFromKernel(type, family, memberKey(member), isNomatch(member))).toBe(member);
      const [rendered = ''] = renderElement(member, 'add').split(' ');
      expect(memberFromKernel(type, family, rendered, isNomatch(member))).toBe(member);
    }),
  );
});

it('answers every hostile text with a member of plain characters or a fault, and never throws', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('1', '0', '.', ':', '/', ',', '-', ' ', '\n', 'f', 't', 'c', 'p', '"', '%') }),
    wanted.chain(([, , text]) =>
      fc
        .tuple(fc.nat(text.length), fc.constantFrom('\n', ' ', '-exist', '"', '\0', ',', '/'))
        .map(([at, piece]) => text.slice(0, at) + piece + text.slice(at)),
    ),
  );
  const types = fc.constantFrom<ManagedType>('hash:ip', 'hash:net', 'hash:ip,port', 'list:set');
  fc.assert(
    fc.property(types, fc.constantFrom<Family>('inet', 'inet6'), hostile, (type, family, text) => {
      const result = canonicalMember(type, family, text);
      if (result.ok) expect(result.member).toMatch(/^[A-Za-z0-9_:][A-Za-z0-9_.:/,-]*( nomatch)?$/);
      else expect(result.reason).not.toMatch(/[\n\u202e\0]/);
    }),
    { numRuns: 500 },
  );
});
