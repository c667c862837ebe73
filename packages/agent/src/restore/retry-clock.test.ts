import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { RetryClock } from './retry-clock.ts';

/** Tries of one line until the clock says no; all waits are passed at once. */
async function exhaust(retries: RetryClock, clock: ReturnType<typeof createFakeClock>, line: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const again = retries.again(line);
    clock.advance(100);
    if (!(await again)) return tries;
  }
}

it('gives a line some hundred tries within twenty seconds, and then an end', async () => {
  const clock = createFakeClock();
  const retries = new RetryClock({ clock, random: () => 0.5 });
  expect(await exhaust(retries, clock, 1)).toBe(200);
  expect(await exhaust(retries, clock, 2)).toBe(200);
});

it('waits longer each time, up to a twentieth of a second, and never two alike', async () => {
  const waits: number[] = [];
  const clock = {
    ...createFakeClock(),
    after: (ms: number, run: () => void) => {
      waits.push(ms);
      queueMicrotask(run);
      return () => undefined;
    },
  };
  let random = 0;
  const retries = new RetryClock({
    clock,
    random: () => {
      random = (random + 0.37) % 1;
      return random;
    },
  });
  for (let i = 0; i < 30; i++) await retries.again(1);
  expect(waits[0]).toBeLessThan(4);
  expect(Math.max(...waits)).toBeLessThanOrEqual(75);
  expect(new Set(waits.slice(10)).size).toBeGreaterThan(10);
});

it('does not wait for a run that is being stopped', async () => {
  const stop = new AbortController();
  const clock = createFakeClock();
  const retries = new RetryClock({ clock, random: () => 0.5 });
  const waiting = retries.again(1, stop.signal);
  stop.abort();
  expect(await waiting).toBe(true);
  expect(clock.waiting).toBe(0);
});
