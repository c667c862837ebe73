import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, milliseconds, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, rawRestore, rewriteLines } from '../raw.ts';

/** Forced rewrites of a whole set, from the operator's request to the acknowledged swap, against `ipset restore` of the same lines. */
export async function rewritePairs(members: number, count: number): Promise<readonly Pair[]> {
  const all = [...addresses(members)];
  return withAgent(
    { documents: bigTag(all), config: { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } } },
    async (agent) => {
      await agent.settled();
      return pairs(count, async () => {
        await agent.settled();
        const ours = await milliseconds(() =>
          agent.act('sets.reprogram', { groups: ['tag:big'], reprogram: true, wait: true }),
        );
        await expectInKernel(agent.namespace, 'sk-v4-', { sets: 1, members });
        const floor = await rawRestore(agent.namespace, rewriteLines('raw', all));
        await agent.namespace.ipset(['destroy', 'raw']);
        return { ours, floor };
      });
    },
  );
}

async function rewrite(id: string, members: number, atMost: number, count: number): Promise<Row> {
  const facts = { id, work: `rewrite of ${members} members`, unit: 'ms', atMost };
  return rowOf(facts, await rewritePairs(members, count));
}

/** P1: 1M members. */
export const p1: Goal = {
  id: 'P1',
  run: async ({ isQuick }) => [
    isQuick ? await rewrite('P1', 20_000, 0.55, 1) : await rewrite('P1', 1_000_000, 0.55, 5),
  ],
};

/** P2: 100k and 10k members. */
export const p2: Goal = {
  id: 'P2',
  run: async ({ isQuick }) =>
    isQuick
      ? [await rewrite('P2', 5000, 0.4, 2)]
      : [await rewrite('P2', 100_000, 0.45, 7), await rewrite('P2', 10_000, 0.4, 11)],
};
