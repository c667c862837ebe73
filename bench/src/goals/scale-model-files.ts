import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { type Goal, median, milliseconds, rowOf } from '../goal.ts';
import { waitUntil } from '../wait-until.ts';
import { watchLiveness } from '../watch-liveness.ts';

/** What one number of files costs. Milliseconds. */
interface Cost {
  /** From the first answer of the agent until all is in the kernel. */
  readonly load: number;
  /** From the renaming of one file until its change is in the kernel, the quiet time of 50 ms in it. */
  readonly changes: readonly number[];
  readonly longestBlocked: number;
}

/** The same endpoints in so many files, and one file more that changes. */
async function costOf(files: number, endpoints: number, changes: number): Promise<Cost> {
  const config = { sets: { settleMs: 0, families: ['inet'] }, startTimeoutSeconds: 120 };
  return withAgent({ documents: documentsIn(files, endpoints), config }, async (agent) => {
    const watched = watchLiveness(agent);
    const load = await milliseconds(() => agent.settled());
    const [source] = await agent.query<{ objects: number }[]>('sources.list');
    if ((source?.objects ?? 0) < endpoints) throw new Error(`only ${source?.objects} objects were read`);
    const { longestBlocked } = await watched.end();
    const times: number[] = [];
    for (let change = 0; change < changes; change++) times.push(await milliseconds(() => changeOne(agent, change)));
    return { load, changes: times, longestBlocked };
  });
}

async function changeOne(agent: AgentUnderTest, number: number): Promise<void> {
  const changed = 'setkeeper_event_to_kernel_seconds_count';
  const before = await agent.metric(changed);
  const text = JSON.stringify({ endpoints: { one: { profiles: ['p0'], ipv4: [`172.16.0.${number + 1}`] } } });
  await writeFile(join(agent.model, '.one.tmp'), text);
  await rename(join(agent.model, '.one.tmp'), join(agent.model, 'one.json'));
  await waitUntil('the change', async () => ((await agent.metric(changed)) > before ? true : undefined), {
    everyMs: 2,
  });
}

const PROFILES = 20;

function documentsIn(files: number, endpoints: number): Readonly<Record<string, string>> {
  const each = endpoints / files;
  const numbers = Array.from({ length: PROFILES }, (_, i) => i);
  const documents: Record<string, string> = {
    'rest.json': JSON.stringify({
      profiles: Object.fromEntries(numbers.map((i) => [`p${i}`, { tags: [`t${i}`] }])),
      references: { bench: numbers.map((i) => `tag:t${i}`) },
    }),
  };
  for (let file = 0; file < files; file++) {
    const some = Array.from({ length: each }, (_, i) => file * each + i);
    const entries = some.map((i): [string, unknown] => [
      `e/${i}`,
      { profiles: [`p${i % PROFILES}`], ipv4: [`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`] },
    ]);
    documents[`file-${file}.json`] = JSON.stringify({ endpoints: Object.fromEntries(entries) });
  }
  return documents;
}

/** S3: many files of a model, against the same in a few. */
export const s3: Goal = {
  id: 'S3',
  run: async ({ isQuick }) => {
    const [many, few, endpoints, changes] = isQuick ? [100, 10, 1000, 3] : [1000, 10, 100_000, 15];
    const ofFew = await costOf(few, endpoints, changes);
    const ofMany = await costOf(many, endpoints, changes);
    const row = (work: string, atMost: number, ours: number, floor: number) =>
      rowOf({ id: 'S3', work, unit: 'ms', atMost }, [{ ours, floor }]);
    return [
      row(`load of ${endpoints} endpoints in ${many} files, against ${few}`, 1.5, ofMany.load, ofFew.load),
      row('  one file of them changes, to the kernel', 1.5, median(ofMany.changes), median(ofFew.changes)),
      row('  longest time the event loop was blocked', 1, ofMany.longestBlocked, 50),
    ];
  },
};
