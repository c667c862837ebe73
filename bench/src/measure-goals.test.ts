import { expect, it } from 'vitest';
import { type Goal, rowOf } from './goal.ts';
import { TookTooLong, within } from './interruption.ts';
import { measureGoals } from './measure-goals.ts';

const goal = (id: string, run: Goal['run']): Goal => ({ id, run });
const measured = (id: string): Goal =>
  goal(id, async () => [rowOf({ id, work: 'some', unit: 'ms', atMost: 1 }, [{ ours: 1, floor: 2 }])]);

it('goes on after a goal that breaks, and says which and why', async () => {
  const broken = goal('P2', () => Promise.reject(new Error('3 of 4 lines are in the kernel')));
  const { rows, done, ...rest } = await measureGoals([measured('P1'), broken, measured('P3')], {
    isQuick: true,
    say: () => {},
  });
  expect(rows.map(({ id, ratio }) => [id, ratio])).toEqual([
    ['P1', 0.5],
    ['P3', 0.5],
  ]);
  expect(done).toEqual(['P1', 'P3']);
  expect(rest).toEqual({ broken: [{ id: 'P2', why: '3 of 4 lines are in the kernel' }], late: [] });
});

it('tells a goal that took too long from one that broke', async () => {
  const slow = goal('P1', () => Promise.reject(new TookTooLong(300)));
  const { broken, late } = await measureGoals([slow], { isQuick: true, say: () => {} });
  expect(broken).toEqual([]);
  expect(late).toEqual([{ id: 'P1', why: 'took longer than 300 s' }]);
});

it('interrupts what takes too long, and waits until it has cleared up', async () => {
  const { interrupted } = await import('./interruption.ts');
  let isClear = false;
  const work = async (): Promise<void> => {
    try {
      await interrupted();
    } finally {
      isClear = true;
    }
  };
  await expect(within(0.01, work)).rejects.toThrow('took longer than 0.01 s');
  expect(isClear).toBe(true);
});
