import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, milliseconds, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, rawRestore, rewriteLines } from '../raw.ts';
import { restMs } from '../rest.ts';
import { pause } from '../wait-until.ts';

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

/** By how much an agent that has come to rest grows while it writes a whole set, plan and all. */
async function memory(members: number, rest: number): Promise<Row> {
  const config = { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } };
  return withAgent({ documents: bigTag([...addresses(members)]), config }, async (agent) => {
    await agent.settled();
    await pause(rest);
    const bytes = await agent.growthDuring(() =>
      agent.act('sets.reprogram', { groups: ['tag:big'], reprogram: true, wait: true }),
    );
    const facts = { id: 'P1', work: '  more memory meanwhile', unit: 'MB', atMost: 1 };
    return rowOf(facts, [{ ours: bytes / 1e6, floor: 40 }]);
  });
}

/** P1: 1M members. */
export const p1: Goal = {
  id: 'P1',
  run: async ({ isQuick }) =>
    isQuick
      ? [await rewrite('P1', 20_000, 0.55, 1)]
      : [await rewrite('P1', 1_000_000, 0.55, 5), await memory(1_000_000, restMs(isQuick))],
};

/** P2: 100k and 10k members. */
export const p2: Goal = {
  id: 'P2',
  run: async ({ isQuick }) =>
    isQuick
      ? [await rewrite('P2', 5000, 0.4, 2)]
      : [await rewrite('P2', 100_000, 0.45, 7), await rewrite('P2', 10_000, 0.4, 11)],
};
