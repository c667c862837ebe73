import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, rowOf } from '../goal.ts';
import { processorSeconds } from '../processor-seconds.ts';
import { pause } from '../wait-until.ts';

/** P11 and P12: what an idle agent costs at 10,000 sets and 50,000 endpoints, with resync on, every child counted. */
export const p11: Goal = {
  id: 'P11',
  run: async ({ isQuick }) => {
    const [sets, endpointsCount, seconds] = isQuick ? [200, 1000, 5] : [10_000, 50_000, 60];
    const profiles = Object.fromEntries(Array.from({ length: sets / 2 }, (_, i) => [`p${i}`, { tags: [`t${i}`] }]));
    const endpoints = Object.fromEntries(
      Array.from({ length: endpointsCount }, (_, i) => [
        `e/${i}`,
        { profiles: [`p${i % (sets / 2)}`], ipv4: [`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`] },
      ]),
    );
    const documents = pages('wide', endpoints, {
      profiles,
      references: { bench: Object.keys(profiles).map((p) => `tag:t${p.slice(1)}`) },
    });
    return withAgent({ documents, config: { startTimeoutSeconds: 120 } }, async (agent) => {
      await agent.settled();
      // Half of the sets are of IPv6, of which there are no addresses.
      await expectInKernel(agent.namespace, 'sk-v', { sets, members: endpointsCount });
      await pause(isQuick ? 1000 : 15_000);
      const before = await processorSeconds(await agent.namespace.pids());
      await pause(seconds * 1000);
      const used = (await processorSeconds(await agent.namespace.pids())) - before;
      const bytes = await agent.residentBytes();
      return [
        rowOf({ id: 'P11', work: `idle with ${sets} sets, share of one core`, unit: 's', atMost: 0.02 }, [
          { ours: used, floor: seconds },
        ]),
        rowOf({ id: 'P12', work: `resident with ${sets} sets, ${endpointsCount} endpoints`, unit: 'MB', atMost: 1 }, [
          { ours: bytes / 1e6, floor: 200 },
        ]),
      ];
    });
  },
};
