import { expect, it } from 'vitest';
import { memberFromKernel } from './kernel-member.ts';

it.each([
  ['hash:ip,port', 'inet', '10.0.0.1,6:80', '10.0.0.1,tcp:80'],
  ['hash:ip,port', 'inet', '10.0.0.1,tcp:80', '10.0.0.1,tcp:80'],
  ['hash:ip,port', 'inet', '10.0.0.1,1:echo-request', '10.0.0.1,icmp:echo-request'],
  ['hash:ip,port', 'inet', '10.0.0.1,254:0', '10.0.0.1,254:0'],
  ['hash:ip,port', 'inet6', '2001:db8::1,58:4/7', '2001:db8::1,ipv6-icmp:4/7'],
  ['hash:ip,port,net', 'inet', '10.0.0.1,17:53,192.0.2.0/24', '10.0.0.1,udp:53,192.0.2.0/24'],
  ['hash:net,port', 'inet6', '2001:0db8::/32,6:443', '2001:db8::/32,tcp:443'],
  ['hash:net,iface', 'inet', '0.0.0.0/0,lo', '0.0.0.0/0,lo'],
  ['hash:ip', 'inet6', '::c000:201', '::192.0.2.1'],
  ['hash:net', 'inet6', '::ffff:c633:6400/120', '::ffff:198.51.100.0/120'],
  ['bitmap:port', null, '443', '443'],
  ['list:set', null, 'odd name, really', 'odd name, really'],
  ['hash:ip', 'inet6', 'no address', 'no address'],
] as const)('in %s (%s): %s is %s', (type, family, element, member) => {
  expect(memberFromKernel(type, family, element, false)).toBe(member);
});

it('puts the flag behind the element', () => {
  expect(memberFromKernel('hash:net', 'inet', '10.0.0.0/8', true)).toBe('10.0.0.0/8 nomatch');
});
