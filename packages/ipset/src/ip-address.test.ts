import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIp, formatIpv4, formatIpv6, maskGroup, maskIpv4, parseCidr, parseIp } from './ip-address.ts';

describe('parseIp', () => {
  it.each([
    '192.0.2.010',
    '192.0.513',
    '3221225986',
    '0xc0000201',
    '192.0.2.1.',
    '.192.0.2.1',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1 ',
    ' 192.0.2.1',
    '192.0.2.1\n',
    '١٩٢.0.2.1',
    'localhost',
    '',
    '00.0.0.0',
    ':',
    ':::',
    '::1::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    '::1:',
    ':1::',
    'fe80::1%eth0',
    '::192.0.2',
    '::192.0.2.1:1',
    '1:2:3:4:5:6:7:192.0.2.1',
    '::ffff:192.0.2.01',
    '::g',
  ])('takes %j for no address', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::1', '::1'],
    ['::ffff', '::ffff'],
    ['1::', '1::'],
    ['::1:0', '::0.1.0.0'],
    ['::1:2', '::0.1.0.2'],
    ['::ffff:c000:201', '::ffff:192.0.2.1'],
    ['::FFFF:192.0.2.1', '::ffff:192.0.2.1'],
    ['::ffff:0:0', '::ffff:0.0.0.0'],
    ['::fffe:1:2', '::fffe:1:2'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ])('prints %s as ipset does: %s', (text, printed) => {
    const address = parseIp(text);
    expect(address && formatIp(address)).toBe(printed);
  });

  it('reads back what it prints, for every address', () => {
    const ipv4 = fc.nat(0xffffffff);
    // Few values, so that runs of zeros are common.
    const ipv6 = fc.array(fc.constantFrom(0, 0, 0, 1, 0xffff, 0x2001), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(ipv4, (value) => {
        expect(parseIp(formatIpv4(value))).toEqual({ family: 'inet', value });
      }),
    );
    fc.assert(
      fc.property(ipv6, (groups) => {
        expect(parseIp(formatIpv6(groups))).toEqual({ family: 'inet6', groups });
      }),
    );
  });

  it('agrees with the platform on what an IPv6 address is and means', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const url = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        expect(parseIp(text)).toEqual(parseIp(url));
        expect(parseIp(text)).toBeDefined();
      }),
    );
  });
});

describe('parseCidr', () => {
  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '/8',
  ])('takes %j for no network', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });

  it('tells host bits', () => {
    expect(parseCidr('10.0.0.1/8')).toMatchObject({ prefixLength: 8, hostBits: true });
    expect(parseCidr('10.0.0.0/8')).toMatchObject({ prefixLength: 8, hostBits: false });
    expect(parseCidr('10.0.0.1')).toMatchObject({ prefixLength: 32, hostBits: false });
    expect(parseCidr('2001:db8::1/64')).toMatchObject({ prefixLength: 64, hostBits: true });
    expect(parseCidr('::/0')).toMatchObject({ prefixLength: 0, hostBits: false });
  });

  it('masks as arithmetic on big integers does', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(32), (value, length) => {
        const size = 2n ** BigInt(32 - length);
        expect(BigInt(maskIpv4(value, length))).toBe((BigInt(value) / size) * size);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.nat(128), (groups, length) => {
        const whole = groups.reduce((sum, group) => sum * 65536n + BigInt(group), 0n);
        const size = 2n ** BigInt(128 - length);
        const masked = groups.map((group, i) => maskGroup(group, i, length));
        expect(masked.reduce((sum, group) => sum * 65536n + BigInt(group), 0n)).toBe((whole / size) * size);
      }),
    );
  });
});
