import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { FloodModel } from '../flood-model.ts';
import { type Goal, median, rowOf } from '../goal.ts';
import { bucketQuantile, bucketsOf, quantile } from '../quantile.ts';
import { inNamespace, rawRestore } from '../raw.ts';
import { pause } from '../wait-until.ts';
import { watchEvents } from '../watch-events.ts';
import { watchLiveness } from '../watch-liveness.ts';

/** A batch by `put` and one by a file come so often. */
const TICK_MS = 200;
const TICKS_A_SECOND = 1000 / TICK_MS;
const HISTOGRAM = 'setkeeper_event_to_kernel_seconds';

/** S2: many changes a second for a minute, half of them flapping, half by put and half by files; then the kernel is compared. */
export const s2: Goal = {
  id: 'S2',
  run: async ({ isQuick, say }) => {
    const [rate, seconds] = isQuick ? [1000, 3] : [10_000, 60];
    const aBatch = rate / TICKS_A_SECOND / 2;
    const model = new FloodModel(aBatch);
    return withAgent({ documents: model.documents(), config: { sets: { families: ['inet'] } } }, async (agent) => {
      await agent.settled();
      const before = await agent.metricsText();
      const counted = await agent.metric(`${HISTOGRAM}_count`);
      const watched = watchLiveness(agent);
      const stream = watchEvents(agent);
      const memory = watchMemory(agent);
      const began = performance.now();
      for (let tick = 0; tick < seconds * TICKS_A_SECOND; tick++) {
        await Promise.all([byPut(agent, model.batch('put')), byFile(agent, model.batch('file'))]);
        await pause(Math.max(0, began + (tick + 1) * TICK_MS - performance.now()));
        if (tick % (10 * TICKS_A_SECOND) === 0) say(`  ${Math.round((performance.now() - began) / 1000)} s`);
      }
      const elapsed = performance.now() - began;
      await agent.settled();
      const after = await agent.metricsText();
      const taken = (await agent.metric(`${HISTOGRAM}_count`)) - counted;
      const { answers, blocked, longestBlocked } = await watched.end();
      const bytes = await memory.end();
      const { events, resets } = stream.end();
      await assertKernel(agent, model);
      say(`  ${taken} of ${2 * seconds * TICKS_A_SECOND} batches were taken one by one; ${events} events told of them`);
      const latency = (share: number) =>
        bucketQuantile(bucketsOf(before, HISTOGRAM), bucketsOf(after, HISTOGRAM), share) * 1000;
      const third = Math.ceil(bytes.length / 3);
      const row = (work: string, unit: string, atMost: number, ours: number, floor: number) =>
        rowOf({ id: 'S2', work, unit, atMost }, [{ ours, floor }]);
      return [
        row(
          `${rate} changes a second: each 1000 of ${rate * seconds}`,
          'ms',
          1.05,
          (elapsed / (taken * aBatch)) * 1000,
          1e6 / rate,
        ),
        row(
          '  middle from event to kernel, against raw of a batch',
          'ms',
          4,
          latency(0.5),
          await rawBatch(agent, aBatch),
        ),
        row('  99 of 100 from event to kernel', 'ms', 1, latency(0.99), 500),
        row('  99 of 100 turns of the event loop', 'ms', 1, quantile(blocked, 0.99), 50),
        row('  longest time the event loop was blocked', 'ms', 1, longestBlocked, 50),
        row('  99 of 100 answers to a console', 'ms', 1, quantile(answers, 0.99), 100),
        row('  times that its stream of events began anew', 'times', 0, resets, 1),
        row(
          '  resident in the last third, against the second',
          'MB',
          1.1,
          most(bytes.slice(-third)),
          most(bytes.slice(third, -third)),
        ),
      ];
    });
  },
};

const most = (values: readonly number[]): number => Math.max(...values) / 1e6;

async function byPut(agent: AgentUnderTest, endpoints: unknown): Promise<void> {
  await agent.act('model.put', { documents: JSON.stringify({ endpoints }) });
}

async function byFile(agent: AgentUnderTest, endpoints: unknown): Promise<void> {
  await writeFile(join(agent.model, '.flood.tmp'), JSON.stringify({ endpoints }));
  await rename(join(agent.model, '.flood.tmp'), join(agent.model, 'flood.json'));
}

/** Reads what the agent and its children have resident, every two seconds. */
function watchMemory(agent: AgentUnderTest): { end(): Promise<readonly number[]> } {
  const bytes: number[] = [];
  let isEnding = false;
  const read = async (): Promise<void> => {
    while (!isEnding || bytes.length < 3) {
      bytes.push(await agent.residentBytes());
      await pause(2000);
    }
  };
  const reading = read().catch(() => undefined);
  return {
    async end() {
      isEnding = true;
      await reading;
      return bytes;
    },
  };
}

/** The lines of one batch, given to ipset by hand: each change takes an address away and adds another. */
async function rawBatch(agent: AgentUnderTest, changes: number): Promise<number> {
  const address = (i: number) => `10.9.${i >> 8}.${i & 255}`;
  const each = Array.from({ length: changes }, (_, i) => i);
  await rawRestore(agent.namespace, ['create raw hash:ip', ...each.map((i) => `add raw ${address(i)}`)]);
  const lines = (from: number, to: number) => [
    ...each.map((i) => `del raw ${address(from + i)}`),
    ...each.map((i) => `add raw ${address(to + i)}`),
  ];
  const times: number[] = [];
  for (let round = 0; round < 5; round++)
    times.push(await rawRestore(agent.namespace, lines(round * changes, (round + 1) * changes)));
  return median(times);
}

/** Throws unless every set holds exactly what the model came to. */
async function assertKernel(agent: AgentUnderTest, model: FloodModel): Promise<void> {
  const wanted = new Set(model.lines());
  const saved = await inNamespace(agent.namespace, ['ipset', 'save']);
  const found = saved.split('\n').filter((line) => line.startsWith('add '));
  const wrong = found.filter((line) => !wanted.has(line));
  if (wrong.length > 0 || found.length !== wanted.size)
    throw new Error(`${found.length} members instead of ${wanted.size}; not wanted: ${wrong.slice(0, 3).join(', ')}`);
}
