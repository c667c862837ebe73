import { withAgent } from '../agent-under-test.ts';
import { manySets } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, pairs, type Row, rowOf } from '../goal.ts';
import { rawRestore } from '../raw.ts';

interface LastRun {
  readonly lastRun: { readonly durationMs: number; readonly operations: { readonly applied: number } } | null;
}

async function programming(sets: number, members: number, atMost: number, count: number): Promise<Row> {
  const { documents, lines } = manySets(sets, members);
  const config = { sets: { settleMs: 0, maxelem: 65_536, families: ['inet'] }, startTimeoutSeconds: 120 };
  const measured = await pairs(count, () =>
    withAgent({ documents, config }, async (agent) => {
      await agent.settled();
      const { lastRun } = await agent.query<LastRun>('status.get');
      if ((lastRun?.operations.applied ?? 0) < sets * members)
        throw new Error('the first run did not program everything');
      await expectInKernel(agent.namespace, 'sk-v4-', { sets, members: sets * members });
      const floor = await rawRestore(agent.namespace, lines());
      return { ours: lastRun?.durationMs ?? Number.NaN, floor };
    }),
  );
  return rowOf({ id: 'P4', work: `first programming of ${sets} sets of ${members}`, unit: 'ms', atMost }, measured);
}

/** P4: first programming of many sets. */
export const p4: Goal = {
  id: 'P4',
  run: async ({ isQuick }) =>
    isQuick
      ? [await programming(300, 20, 0.75, 1)]
      : [await programming(10_000, 100, 0.3, 3), await programming(10_000, 10, 0.75, 5)],
};
