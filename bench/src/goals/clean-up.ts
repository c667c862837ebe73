import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, milliseconds, type Pair, pairs, rowOf } from '../goal.ts';
import { inNamespace, rawRestore } from '../raw.ts';

/** What the agent counts each process of ipset by: one for a reading, one for a restore. */
const IPSET_PROCESSES = ['setkeeper_readback_seconds_count', 'setkeeper_restore_children_total'];
const PROCESSES_MAX = 4;

/** P6: clean-up of many leftovers against `ipset list -n` and one ordered destroy file; and the processes of ipset that it starts beside the one that stands. */
export const p6: Goal = {
  id: 'P6',
  run: async ({ isQuick }) => {
    const [leftovers, count] = isQuick ? [200, 1] : [10_000, 5];
    const create = (prefix: string) =>
      Array.from({ length: leftovers }, (_, i) => `create ${prefix}${i} hash:ip hashsize 64`);
    const documents = { 'one.yaml': 'profiles: { p: { tags: [t] } }\n' };
    return withAgent({ documents }, async (agent) => {
      await agent.settled();
      const processes: Pair[] = [];
      const measured = await pairs(count, async () => {
        await rawRestore(agent.namespace, create('sk-v4-t.old-'));
        const before = await ipsetProcesses(agent);
        const ours = await milliseconds(async () => {
          const { removed } = await agent.act<{ removed: string[] }>('leftovers.cleanup', {
            confirm: leftovers,
            wait: true,
          });
          if (removed.length !== leftovers) throw new Error(`${removed.length} of ${leftovers} leftovers were removed`);
        });
        processes.push({ ours: (await ipsetProcesses(agent)) - before, floor: PROCESSES_MAX });
        await expectInKernel(agent.namespace, 'sk-v4-t.old-', { sets: 0, members: 0 });
        await rawRestore(agent.namespace, create('raw-'));
        let names: string[] = [];
        const list = await milliseconds(async () => {
          names = (await inNamespace(agent.namespace, ['ipset', 'list', '-n']))
            .split('\n')
            .filter((name) => name.startsWith('raw-'));
        });
        const destroy = await rawRestore(
          agent.namespace,
          names.map((name) => `destroy ${name}`),
        );
        return { ours, floor: list + destroy };
      });
      const work = `clean-up of ${leftovers} leftovers`;
      return [
        rowOf({ id: 'P6', work, unit: 'ms', atMost: 2.2 }, measured),
        rowOf({ id: 'P6', work: `${work}, processes of ipset started`, unit: '', atMost: 1 }, processes),
      ];
    });
  },
};

async function ipsetProcesses(agent: AgentUnderTest): Promise<number> {
  const counts = await Promise.all(IPSET_PROCESSES.map((name) => agent.metric(name)));
  return counts.reduce((sum, count) => sum + count, 0);
}
