import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { type Goal, median, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, spawnTimes } from '../raw.ts';

/** Changes measured at each size. */
const CHANGES = 31;

/** From a change that the agent accepted to the kernel's acknowledgement, as its own metric counts it. Milliseconds. */
async function oneChange(agent: AgentUnderTest, address: string): Promise<number> {
  const seconds = 'setkeeper_event_to_kernel_seconds_sum';
  const before = await agent.metric(seconds);
  await agent.act('model.put', {
    documents: JSON.stringify({ endpoints: { 'one/more': { profiles: ['big'], ipv4: [address] } } }),
  });
  await agent.settled();
  const took = (await agent.metric(seconds)) - before;
  if (took <= 0) throw new Error('the change did not reach the kernel');
  return took * 1000;
}

const oneSpawn = async (agent: AgentUnderTest): Promise<number> =>
  median(await spawnTimes(agent.namespace, 3, 'add raw 192.0.2.1'));

async function changesAt(
  members: number,
  count: number,
): Promise<{ readonly ours: number; readonly pairs: readonly Pair[] }> {
  const config = { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } };
  return withAgent({ documents: bigTag([...addresses(members)]), config }, async (agent) => {
    await agent.settled();
    await agent.namespace.ipset(['create', 'raw', 'hash:ip']);
    let next = 0;
    const change = () => oneChange(agent, `172.16.${next >> 8}.${next++ & 255}`);
    for (let warm = 0; warm < 5; warm++) await change();
    const measured = await pairs(count, async () => ({ ours: await change(), floor: await oneSpawn(agent) }));
    return { ours: median(measured.map(({ ours }) => ours)), pairs: measured };
  });
}

/** P3: one member more in a large set, and the same in a small one. */
export const p3: Goal = {
  id: 'P3',
  run: async ({ isQuick }): Promise<readonly Row[]> => {
    const [large, small, count] = isQuick ? [10_000, 1000, 5] : [1_000_000, 1000, CHANGES];
    const atSmall = await changesAt(small, count);
    const atLarge = await changesAt(large, count);
    return [
      rowOf({ id: 'P3', work: `one member more in ${large}`, unit: 'ms', atMost: 0.2 }, atLarge.pairs),
      rowOf({ id: 'P3', work: `the same at ${large} against ${small} members`, unit: 'ms', atMost: 1.5 }, [
        { ours: atLarge.ours, floor: atSmall.ours },
      ]),
    ];
  },
};
