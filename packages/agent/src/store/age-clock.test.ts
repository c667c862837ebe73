import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { createAgeClock } from './age-clock.ts';

const hour = 3_600_000;
const nothingIsOld = Number.NEGATIVE_INFINITY;

it('calls nothing old until the clock has been even for hours, at start and after a jump either way', () => {
  const clock = createFakeClock();
  const ages = createAgeClock(clock);
  const evenFor = (hours: number): number => {
    for (let minute = 0; minute < hours * 60; minute += 1) {
      clock.advance(60_000);
      ages.time();
    }
    return ages.time();
  };
  expect(evenFor(5)).toBe(nothingIsOld);
  expect(evenFor(1)).toBe(clock.now());
  for (const jump of [10_000 * hour, -10_000 * hour]) {
    clock.jumpTo(clock.now() + jump);
    expect(ages.time()).toBe(nothingIsOld);
    expect(evenFor(5)).toBe(nothingIsOld);
    expect(evenFor(1)).toBe(clock.now());
  }
});

it('takes the small corrections of a time service for no jump', () => {
  const clock = createFakeClock();
  const ages = createAgeClock(clock);
  for (let minute = 0; minute < 6 * 60; minute += 1) {
    clock.advance(60_000);
    clock.jumpTo(clock.now() + 50);
    ages.time();
  }
  expect(ages.time()).toBe(clock.now());
});
