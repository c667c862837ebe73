import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { addresses } from '../raw.ts';
import { waitUntil } from '../wait-until.ts';

const SECONDS = 'setkeeper_event_to_kernel_seconds_sum';
const COUNT = 'setkeeper_event_to_kernel_seconds_count';
/** Outside of what the set has before. */
const FIRST = 13 << 20;

/**
 * Files that add members at once to a set of a size, as many as each of `added` says and so often, and take them away again: from
 * the change to the kernel, as the agent counts it. Milliseconds, by what was added.
 */
export async function changeTimes(
  members: number,
  added: readonly number[],
  count: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const config = { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } };
  return withAgent({ documents: bigTag([...addresses(members)]), config }, async (agent) => {
    await agent.settled();
    const write = async (endpoints: unknown): Promise<number> => {
      const [seconds, before] = [await agent.metric(SECONDS), await agent.metric(COUNT)];
      await writeFile(join(agent.model, '.more.tmp'), JSON.stringify({ endpoints }));
      await rename(join(agent.model, '.more.tmp'), join(agent.model, 'more.json'));
      await waitUntil('the change', async () => ((await agent.metric(COUNT)) > before ? true : undefined));
      await agent.settled();
      return ((await agent.metric(SECONDS)) - seconds) * 1000;
    };
    const times = new Map<number, readonly number[]>();
    for (const size of added) {
      const more = Object.fromEntries(
        [...addresses(size, FIRST)].map((address, i) => [`more/${i}`, { profiles: ['big'], ipv4: [address] }]),
      );
      const ofSize: number[] = [];
      for (let done = 0; done < count; done++) {
        ofSize.push(await write(more));
        await write({});
      }
      times.set(size, ofSize);
    }
    return times;
  });
}
