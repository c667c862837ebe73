import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, pairs, rowOf } from '../goal.ts';
import { addresses, rawRestore } from '../raw.ts';
import { waitUntil } from '../wait-until.ts';

/** P8: a tag more for a profile of many endpoints, end to end with the store, against a raw restore of the same lines. */
export const p8: Goal = {
  id: 'P8',
  run: async ({ isQuick }) => {
    const [members, count] = isQuick ? [500, 1] : [10_000, 7];
    const all = [...addresses(members)];
    const endpoints = Object.fromEntries(all.map((address, i) => [`e/${i}`, { profiles: ['wide'], ipv4: [address] }]));
    const profile = (tags: readonly string[]) => JSON.stringify({ profiles: { wide: { tags } } });
    // Each pair adds a tag that no endpoint ever had, whose set is live and empty.
    const fresh = Array.from({ length: count }, (_, pair) => `fresh-${pair}`);
    const documents = {
      ...pages('wide', endpoints, { references: { bench: ['tag:first', ...fresh.map((tag) => `tag:${tag}`)] } }),
      'profile.json': profile(['first']),
    };
    return withAgent({ documents, config: { sets: { settleMs: 0, families: ['inet'] } } }, async (agent) => {
      await agent.settled();
      const seconds = 'setkeeper_event_to_kernel_seconds_sum';
      const write = async (tag: string, tags: readonly string[], wanted: number): Promise<number> => {
        const before = await agent.metric(seconds);
        await writeFile(join(agent.model, '.profile.tmp'), profile(tags));
        await rename(join(agent.model, '.profile.tmp'), join(agent.model, 'profile.json'));
        // A row of the list costs the agent nothing; the set whole would show every pending member each time it is asked.
        await waitUntil(`${wanted} programmed members of ${tag}`, async () => {
          const { items } = await agent.query<{ items: readonly { name: string; programmed: number | null }[] }>(
            'sets.list',
            { filter: tag, limit: 10 },
          );
          return items.find(({ name }) => name === `sk-v4-t.${tag}`)?.programmed === wanted ? true : undefined;
        });
        await agent.settled();
        return ((await agent.metric(seconds)) - before) * 1000;
      };
      const left = [...fresh];
      const measured = await pairs(count, async () => {
        const tag = left.shift() ?? '';
        const ours = await write(tag, ['first', tag], members);
        await expectInKernel(agent.namespace, `sk-v4-t.${tag}`, { sets: 1, members });
        await write(tag, ['first'], 0);
        const floor = await rawRestore(agent.namespace, [
          'create raw hash:ip',
          ...all.map((address) => `add raw ${address}`),
        ]);
        await agent.namespace.ipset(['destroy', 'raw']);
        return { ours, floor };
      });
      return [rowOf({ id: 'P8', work: `a tag more for ${members} endpoints`, unit: 'ms', atMost: 0.8 }, measured)];
    });
  },
};
