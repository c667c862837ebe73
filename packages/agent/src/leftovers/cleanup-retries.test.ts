import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { CleanupRetries } from './cleanup-retries.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const by = { actor: 'maria' };
const board = () => {
  const standing = new Set<string>();
  return {
    standing,
    raise: ({ code, subject }: { readonly code: string; readonly subject: string }) =>
      void standing.add(`${code} ${subject}`),
    clear: (code: string, subject: string) => void standing.delete(`${code} ${subject}`),
  };
};

describe('CleanupRetries', () => {
  it('asks again with a pause that doubles, in the name of who asked first', async () => {
    const clock = createFakeClock();
    const asked: string[] = [];
    const again = async (names: readonly string[], who: { readonly actor: string }): Promise<void> => {
      asked.push(`${names.join(',')} for ${who.actor}`);
      retries.refuse([{ name: 'a', message: 'in use' }], { actor: 'somebody else' });
    };
    const retries = new CleanupRetries({ clock, problems: board(), again });
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
    const problems = board();
    const again = async (names: readonly string[]): Promise<void> => retries.settle(names);
    const retries = new CleanupRetries({ clock, problems, again });
    retries.refuse([{ name: 'a', message: 'busy' }], by);
    expect(problems.standing).toEqual(new Set(['destroy-refused a']));
    clock.advance(1_000);
    await settle();
    expect([retries.all(), clock.waiting, problems.standing.size]).toEqual([[], 0, 0]);
  });

  it('goes on after an attempt that failed as a whole', async () => {
    const clock = createFakeClock();
    const again = () => Promise.reject(new Error('the kernel cannot be read'));
    const retries = new CleanupRetries({ clock, problems: board(), again });
    retries.refuse([{ name: 'a', message: 'busy' }], by);
    clock.advance(1_000);
    await settle();
    expect(retries.all()).toMatchObject([{ name: 'a', attempts: 2, message: 'the kernel cannot be read' }]);
    expect(clock.waiting).toBe(1);
    retries.stop();
    expect(clock.waiting).toBe(0);
  });
});
