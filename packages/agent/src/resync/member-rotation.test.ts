import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { MemberRotation } from './member-rotation.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function world(count: number) {
  const clock = createFakeClock();
  // The rotation only tells sets apart: what they are is the checker's business.
  const sets = Array.from({ length: count }, (_, i) => ({ name: `s${i}` }) as unknown as ManagedSet);
  const checked: string[] = [];
  let dumps = 0;
  let isBusy = false;
  const reader = {
    everything: async () => {
      dumps += 1;
      return { ok: true, value: { sets: 0, members: 0 }, at: 0, warnings: [] };
    },
  } as unknown as KernelReader;
  const rotation = new MemberRotation({
    clock,
    reader,
    membersSeconds: 90,
    sets: () => sets,
    owner: () => undefined,
    check: async (set) => {
      checked.push(set.name);
      return 'same';
    },
    isBusy: () => isBusy,
  });
  rotation.start();
  return {
    checked,
    dumps: () => dumps,
    busy: (now: boolean) => {
      isBusy = now;
    },
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 250) {
        clock.advance(Math.min(left, 250));
        await settle();
      }
    },
    clock,
    rotation,
  };
}

describe('MemberRotation', () => {
  it('reads few sets one by one, each once a period', async () => {
    const w = world(9);
    await w.pass(90_000);
    expect(w.checked.toSorted()).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']);
    expect(w.dumps()).toBe(0);
    await w.pass(90_000);
    expect(w.checked).toHaveLength(18);
  });

  it('reads many sets in one pass a period', async () => {
    const w = world(1_000);
    await w.pass(90_000);
    expect([w.dumps(), w.checked.length]).toEqual([1, 0]);
    await w.pass(90_000);
    expect(w.dumps()).toBe(2);
  });

  it('waits while something is programmed, but not for ever', async () => {
    const w = world(1_000);
    w.busy(true);
    await w.pass(100_000);
    expect(w.dumps()).toBe(0);
    w.busy(false);
    await w.pass(250);
    expect(w.dumps()).toBe(1);
    w.busy(true);
    await w.pass(140_000);
    expect(w.dumps()).toBe(2);
  });

  it('ends when it is stopped', async () => {
    const w = world(9);
    w.rotation.stop();
    await w.pass(90_000);
    expect([w.checked, w.clock.waiting]).toEqual([[], 0]);
  });
});
