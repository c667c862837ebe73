import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccountStore } from './account-store.ts';
import { createThrottle, type Throttle } from './throttle.ts';

let now = 0;
let throttle: Throttle;
let close: () => void;
beforeEach(() => {
  now = Date.UTC(2026, 5, 1);
  const database = openAccountStore(':memory:');
  throttle = createThrottle(database, () => now);
  close = () => database.close();
});
afterEach(() => close());

const fail = (times: number, account: string | null, address: (n: number) => string): void => {
  for (let n = 0; n < times; n += 1) throttle.failed(account, address(n));
};
const elsewhere = '192.0.2.200';

it('counts an account whatever the address, waits twice as long each time, and forgets after an hour', () => {
  const address = (n: number): string => `192.0.2.${n}`;
  fail(4, 'maria', address);
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(0);
  const waits = [5, 6, 7, 8].map(() => {
    fail(1, 'maria', address);
    return throttle.waitSeconds('MARIA', elsewhere);
  });
  expect(waits).toEqual([1, 2, 4, 8]);
  fail(20, 'maria', address);
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(15 * 60);
  expect(throttle.waitSeconds('joe', elsewhere)).toBe(0);
  now += 61 * 60_000;
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(0);
});

it('begins anew for an account that signed in, and not for its address', () => {
  fail(30, 'maria', () => '192.0.2.1');
  throttle.succeeded('maria');
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(0);
  expect(throttle.waitSeconds('maria', '192.0.2.1')).toBe(15 * 60);
});

it('counts attempts under way, so that many at once do not get past it together', () => {
  const ends = [1, 2, 3, 4, 5].map(() => throttle.begin('maria', '192.0.2.1'));
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(1);
  for (const end of ends) end();
  expect(throttle.waitSeconds('maria', elsewhere)).toBe(0);
});

it.each([
  ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:eeee:dddd:cccc', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '0:0:0:0:0:0:0:2', true],
  ['fe80::1%eth0', 'fe80::2%eth1', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '192.0.2.2', false],
])('takes %s and %s for one network: %s', (one, other, isOne) => {
  fail(20, null, () => one);
  expect(throttle.waitSeconds(null, other) > 0).toBe(isOne);
});
