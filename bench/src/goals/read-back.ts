import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { type Goal, milliseconds, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, inNamespace } from '../raw.ts';
import { waitUntil } from '../wait-until.ts';

const SECONDS = 'setkeeper_readback_seconds_sum{kind="members"}';
const COUNT = 'setkeeper_readback_seconds_count{kind="members"}';

interface ReadBacks {
  readonly pairs: readonly Pair[];
  /** By how many bytes the agent was larger during a reading than before it. */
  readonly growth: number;
}

/** The agent's own reading and comparison of a set that nobody changed, against a dump of it that goes nowhere. */
export async function readBackPairs(family: 'inet' | 'inet6', members: number, count: number): Promise<ReadBacks> {
  const name = family === 'inet' ? 'sk-v4-t.big' : 'sk-v6-t.big';
  const config = {
    sets: { settleMs: 0, maxelem: 4_194_304, families: [family] },
    resync: { headersSeconds: 10, membersSeconds: 2, repair: true },
  };
  const all = family === 'inet' ? [...addresses(members)] : [...ipv6Addresses(members)];
  return withAgent({ documents: bigTag(all, family), config }, async (agent) => {
    await agent.settled();
    const operations = await agent.metric('setkeeper_operations_total');
    const measured = await pairs(count, async () => {
      const [seconds, before] = [await agent.metric(SECONDS), await agent.metric(COUNT)];
      const after = await waitUntil('a reading', async () => {
        const now = await agent.metric(COUNT);
        return now > before ? now : undefined;
      });
      const ours = (((await agent.metric(SECONDS)) - seconds) / (after - before)) * 1000;
      const floor = await milliseconds(() =>
        inNamespace(agent.namespace, ['sh', '-c', `exec ipset save ${name} > /dev/null`]),
      );
      return { ours, floor };
    });
    const growth = await agent.growthDuring(async () => {
      const before = await agent.metric(COUNT);
      await waitUntil('a reading', async () => ((await agent.metric(COUNT)) > before ? true : undefined));
    });
    if ((await agent.metric('setkeeper_operations_total')) !== operations) throw new Error('a reading wrote something');
    return { pairs: measured, growth };
  });
}

async function readBack(
  family: 'inet' | 'inet6',
  members: number,
  atMost: number,
  count: number,
): Promise<readonly Row[]> {
  const facts = { id: 'P9', work: `read-back of ${members} ${family} members`, unit: 'ms', atMost };
  const { pairs, growth } = await readBackPairs(family, members, count);
  const memory = { id: 'P9', work: '  more memory meanwhile', unit: 'MB', atMost: 1 };
  return [rowOf(facts, pairs), rowOf(memory, [{ ours: growth / 1e6, floor: 40 }])];
}

function* ipv6Addresses(count: number): Generator<string> {
  for (let i = 1; i <= count; i++) {
    const [high, low] = [(i >> 16) & 0xffff, i & 0xffff];
    yield `2001:db8::${high === 0 ? '' : `${high.toString(16)}:`}${low.toString(16)}`;
  }
}

/** P9: reading back what nobody changed. */
export const p9: Goal = {
  id: 'P9',
  run: async ({ isQuick }) => {
    const [members, count] = isQuick ? [5000, 1] : [1_000_000, 5];
    return [...(await readBack('inet', members, 1.3, count)), ...(await readBack('inet6', members, 2, count))];
  },
};
