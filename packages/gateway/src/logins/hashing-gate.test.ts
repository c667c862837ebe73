import { expect, it } from 'vitest';
import { createHashingGate } from './hashing-gate.ts';

it('lets few in at a time, some wait, and sends the rest away', async () => {
  const gate = createHashingGate({ inside: 2, waiting: 1 });
  let inside = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const work = async (): Promise<string> => {
    inside += 1;
    most = Math.max(most, inside);
    await release.promise;
    inside -= 1;
    return 'done';
  };
  const all = [1, 2, 3, 4].map(() => gate.enter(work));
  expect(await all[3]).toBeNull();
  release.resolve();
  expect(await Promise.all(all.slice(0, 3))).toEqual(['done', 'done', 'done']);
  expect(most).toBe(2);
});

it('lets the next in after one that failed', async () => {
  const gate = createHashingGate({ inside: 1, waiting: 1 });
  await expect(gate.enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.enter(async () => 1)).toBe(1);
});
