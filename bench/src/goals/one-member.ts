import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, median, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, spawnTimes } from '../raw.ts';
import { pause, waitUntil } from '../wait-until.ts';

/** Changes measured at each size, by each way. */
const CHANGES = 21;
/** How long a directory is left alone before it is asked whether its change is in: longer than it has to be quiet. */
const QUIET_MS = 120;

/** How a change comes: a file of the model directory, or the declared source, whose audit entry must be on disk. */
export type Way = 'file' | 'put';

async function send(agent: AgentUnderTest, way: Way, address: string): Promise<void> {
  const text = JSON.stringify({ endpoints: { [`one/${way}`]: { profiles: ['big'], ipv4: [address] } } });
  if (way === 'put') {
    await agent.act('model.put', { documents: text });
    return;
  }
  await writeFile(join(agent.model, '.one.tmp'), text);
  await rename(join(agent.model, '.one.tmp'), join(agent.model, 'one.json'));
  await pause(QUIET_MS);
}

/** From a change that the agent accepted to the kernel's acknowledgement, as its own metric counts it. Milliseconds. */
async function oneChange(agent: AgentUnderTest, way: Way, address: string): Promise<number> {
  const [seconds, count] = ['setkeeper_event_to_kernel_seconds_sum', 'setkeeper_event_to_kernel_seconds_count'];
  const [before, counted] = [await agent.metric(seconds), await agent.metric(count)];
  await send(agent, way, address);
  await waitUntil('the change', async () => ((await agent.metric(count)) > counted ? true : undefined));
  return ((await agent.metric(seconds)) - before) * 1000;
}

/** The middle of three spawns of `ipset restore` with one line. */
const oneSpawn = async (agent: AgentUnderTest): Promise<number> =>
  median(await spawnTimes(agent.namespace, 3, 'add raw 192.0.2.1'));

/** Changes of one member beside so many, by each way, against a spawn. */
export async function changesAt(members: number, count: number): Promise<Readonly<Record<Way, readonly Pair[]>>> {
  const config = { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } };
  return withAgent({ documents: bigTag([...addresses(members)]), config }, async (agent) => {
    await agent.settled();
    await agent.namespace.ipset(['create', 'raw', 'hash:ip']);
    let next = 0;
    const measure = async (way: Way): Promise<readonly Pair[]> => {
      const change = () => oneChange(agent, way, `172.16.${next >> 8}.${next++ & 255}`);
      for (let warm = 0; warm < 3; warm++) await change();
      return pairs(count, async () => ({ ours: await change(), floor: await oneSpawn(agent) }));
    };
    const measured = { file: await measure('file'), put: await measure('put') };
    // Each way has one endpoint, whose address changed each time.
    await expectInKernel(agent.namespace, 'sk-v4-t.big', { sets: 1, members: members + 2 });
    return measured;
  });
}

/** P3: one member more in a large set, and the same in a small one. */
export const p3: Goal = {
  id: 'P3',
  run: async ({ isQuick }): Promise<readonly Row[]> => {
    const [large, small, count] = isQuick ? [10_000, 1000, 5] : [1_000_000, 1000, CHANGES];
    const atSmall = await changesAt(small, count);
    const atLarge = await changesAt(large, count);
    const ours = (measured: readonly Pair[]): number => median(measured.map((pair) => pair.ours));
    return [
      rowOf({ id: 'P3', work: `one member more in ${large}, by a file`, unit: 'ms', atMost: 0.2 }, atLarge.file),
      rowOf({ id: 'P3', work: 'the same by put, with its audit entry', unit: 'ms', atMost: 0.2 }, atLarge.put),
      rowOf({ id: 'P3', work: `by a file at ${large} against ${small} members`, unit: 'ms', atMost: 1.5 }, [
        { ours: ours(atLarge.file), floor: ours(atSmall.file) },
      ]),
    ];
  },
};
