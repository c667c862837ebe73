import { withAgent } from '../agent-under-test.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, milliseconds, pairs, rowOf } from '../goal.ts';
import { inNamespace, rawRestore } from '../raw.ts';

/** P6: clean-up of many leftovers against `ipset list -n` and one ordered destroy file. */
export const p6: Goal = {
  id: 'P6',
  run: async ({ isQuick }) => {
    const [leftovers, count] = isQuick ? [200, 1] : [10_000, 5];
    const create = (prefix: string) =>
      Array.from({ length: leftovers }, (_, i) => `create ${prefix}${i} hash:ip hashsize 64`);
    return withAgent({ documents: { 'one.yaml': 'profiles: { p: { tags: [t] } }\n' } }, async (agent) => {
      await agent.settled();
      const measured = await pairs(count, async () => {
        await rawRestore(agent.namespace, create('sk-v4-t.old-'));
        const ours = await milliseconds(async () => {
          const { removed } = await agent.act<{ removed: string[] }>('leftovers.cleanup', {
            confirm: leftovers,
            wait: true,
          });
          if (removed.length !== leftovers) throw new Error(`${removed.length} of ${leftovers} leftovers were removed`);
        });
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
      return [rowOf({ id: 'P6', work: `clean-up of ${leftovers} leftovers`, unit: 'ms', atMost: 2.2 }, measured)];
    });
  },
};
