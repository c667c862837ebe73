import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { createLiveness } from './liveness.ts';

const MINUTE = 60_000;

it('calls an idle engine alive for ever, and one that moves', () => {
  const clock = createFakeClock();
  const liveness = createLiveness(clock, { emit: () => {} });
  for (let minute = 0; minute < 60; minute += 1) {
    clock.advance(MINUTE);
    expect(liveness.isAlive(false)).toBe(true);
  }
  for (let minute = 0; minute < 60; minute += 1) {
    clock.advance(MINUTE);
    liveness.bus.emit({ type: 'run-progress' });
    expect(liveness.isAlive(true)).toBe(true);
  }
});

it('calls a run dead that says nothing for minutes', () => {
  const clock = createFakeClock();
  const liveness = createLiveness(clock, { emit: () => {} });
  expect(liveness.isAlive(true)).toBe(true);
  clock.advance(4 * MINUTE);
  expect(liveness.isAlive(true)).toBe(true);
  clock.advance(2 * MINUTE);
  expect(liveness.isAlive(true)).toBe(false);
});
