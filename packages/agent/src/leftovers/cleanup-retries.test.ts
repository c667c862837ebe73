import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { CleanupRetries } from './cleanup-retries.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const by = { actor: 'maria' };

describe('CleanupRetries', () => {
  it('asks again with a pause that doubles, in the name of who asked first', async () => {
    const clock = createFakeClock();
    const asked: string[] = [];
    const retries = new CleanupRetries(clock, async (names, who) => {
      asked.push(`${names.join(',')} for ${who.actor}`);
      retries.refuse([{ name: 'a', message: 'in use' }], { actor: 'somebody else' });
    });
    retries.refuse([{ name: 'a', message: 'in use' }], by);
    for (const ms of [1_000, 2_000, 4_000]) {
      clock.advance(ms - 1);
      await settle();
      const before = asked.length;
      clock.advance(1);
      await settle();
      expect(asked.length).toBe(before + 1);
    }
    expect(new Set(asked)).toEqual(new Set(['a for maria']));
    expect(retries.all()).toMatchObject([{ name: 'a', attempts: 4, by }]);
  });

  it('forgets what is gone', async () => {
    const clock = createFakeClock();
    const retries = new CleanupRetries(clock, async (names) => retries.settle(names));
    retries.refuse([{ name: 'a', message: 'busy' }], by);
    clock.advance(1_000);
    await settle();
    expect([retries.all(), clock.waiting]).toEqual([[], 0]);
  });

  it('goes on after an attempt that failed as a whole', async () => {
    const clock = createFakeClock();
    const retries = new CleanupRetries(clock, () => Promise.reject(new Error('the kernel cannot be read')));
    retries.refuse([{ name: 'a', message: 'busy' }], by);
    clock.advance(1_000);
    await settle();
    expect(retries.all()).toMatchObject([{ name: 'a', attempts: 2, message: 'the kernel cannot be read' }]);
    expect(clock.waiting).toBe(1);
    retries.stop();
    expect(clock.waiting).toBe(0);
  });
});
