import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, median, milliseconds, type Pair, pairs, rowOf } from '../goal.ts';
import { processorSeconds } from '../processor-seconds.ts';
import { inNamespace, rawRestore } from '../raw.ts';
import { pause } from '../wait-until.ts';
import { watchLiveness } from '../watch-liveness.ts';

/** So many sets a process: ipset looks each new one up in a list of those it made before. */
const SETS_A_PROCESS = 500;
const HEADERS = ['setkeeper_readback_seconds_sum{kind="headers"}', 'setkeeper_readback_seconds_count{kind="headers"}'];

/** S1: a host on which others keep very many sets; ours are few, and nothing of the others' may be touched. */
export const s1: Goal = {
  id: 'S1',
  run: async ({ isQuick, say }) => {
    const [foreign, changes, idleSeconds] = isQuick ? [500, 3, 3] : [60_000, 11, 30];
    const documents = pages('few', {}, { profiles: { p: { tags: ['t'] } }, references: { bench: ['tag:t'] } });
    const config = { sets: { settleMs: 0, families: ['inet'] }, resync: { headersSeconds: 2, membersSeconds: 10 } };
    return withAgent({ documents, config }, async (agent) => {
      await agent.settled();
      let next = 0;
      const change = () => putOne(agent, `10.0.${next >> 8}.${next++ & 255}`);
      await pairs(3, async () => ({ ours: await change(), floor: 1 }));
      const alone: number[] = [];
      for (let done = 0; done < changes; done++) alone.push(await change());
      for (let from = 0; from < foreign; from += SETS_A_PROCESS)
        await rawRestore(agent.namespace, createLines(from, Math.min(foreign, from + SETS_A_PROCESS)));
      say(`  ${foreign} sets of others are there`);

      const watched = watchLiveness(agent);
      const headers = await pairs(isQuick ? 1 : 5, () => headersRead(agent));
      const lists = await pairs(isQuick ? 1 : 5, () => listed(agent, foreign));
      const beside: Pair[] = [];
      for (const floor of alone) beside.push({ ours: await change(), floor });
      const { answers, longestBlocked } = await watched.end();
      await pause(idleSeconds * 100);
      const idle = await processorSeconds(await agent.namespace.pids());
      await pause(idleSeconds * 1000);
      const used = (await processorSeconds(await agent.namespace.pids())) - idle;
      await assertUntouched(agent, foreign);

      const work = `beside ${foreign} sets of others`;
      const row = (what: string, unit: string, atMost: number, measured: readonly Pair[]) =>
        rowOf({ id: 'S1', work: `${what} ${work}`, unit, atMost }, measured);
      return [
        row('headers read and compared', 'ms', 1.5, headers),
        row('the page of all sets of the host,', 'ms', 3, lists),
        row('one member more by put, against none,', 'ms', 1.5, beside),
        row('the middle answer to a console', 'ms', 1, [{ ours: median(answers), floor: 50 }]),
        row('longest time the event loop was blocked', 'ms', 1, [{ ours: longestBlocked, floor: 50 }]),
        row('idle, headers every 2 s, share of a core', 's', 0.1, [{ ours: used, floor: idleSeconds }]),
      ];
    });
  },
};

function* createLines(from: number, to: number): Generator<string> {
  for (let i = from; i < to; i++) yield `create other-${i} hash:ip hashsize 64`;
}

/** One address more, until the kernel has acknowledged it. Milliseconds by the agent's clock. */
async function putOne(agent: AgentUnderTest, address: string): Promise<number> {
  const seconds = 'setkeeper_event_to_kernel_seconds_sum';
  const before = await agent.metric(seconds);
  const documents = JSON.stringify({ endpoints: { one: { profiles: ['p'], ipv4: [address] } } });
  await agent.act('model.put', { documents });
  await agent.settled();
  return ((await agent.metric(seconds)) - before) * 1000;
}

/** The agent's own next reading of the headers, against one that goes nowhere. */
async function headersRead(agent: AgentUnderTest): Promise<Pair> {
  const read = () => Promise.all(HEADERS.map((name) => agent.metric(name)));
  const [seconds = 0, count = 0] = await read();
  for (;;) {
    await pause(50);
    const [now = 0, readings = 0] = await read();
    if (readings > count) return { ours: ((now - seconds) / (readings - count)) * 1000, floor: await listTime(agent) };
  }
}

const listTime = (agent: AgentUnderTest): Promise<number> =>
  milliseconds(() => inNamespace(agent.namespace, ['sh', '-c', 'exec ipset list -t > /dev/null']));

async function listed(agent: AgentUnderTest, foreign: number): Promise<Pair> {
  let sets: readonly { owner: string }[] = [];
  const ours = await milliseconds(async () => {
    sets = await agent.query('kernel.list', {});
  });
  const others = sets.filter(({ owner }) => owner === 'foreign').length;
  if (others !== foreign) throw new Error(`${others} of ${foreign} sets of others are shown`);
  return { ours, floor: await listTime(agent) };
}

async function assertUntouched(agent: AgentUnderTest, foreign: number): Promise<void> {
  const names = (await inNamespace(agent.namespace, ['ipset', 'list', '-n'])).split('\n');
  const left = names.filter((name) => name.startsWith('other-')).length;
  if (left !== foreign) throw new Error(`${left} of ${foreign} sets of others are left`);
}
