import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, type Row, rowOf } from '../goal.ts';
import { pause } from '../wait-until.ts';

interface Load {
  readonly ms: number;
  readonly bytes: number;
}

const PROGRAM = fileURLToPath(new URL('../membership-load.ts', import.meta.url));

async function load(which: 'indexed' | 'naive', endpoints: number): Promise<Load> {
  const { stdout } = await execa(process.execPath, [
    ...['--expose-gc', '--max-old-space-size=8192', PROGRAM],
    ...[which, String(endpoints)],
  ]);
  return JSON.parse(stdout) as Load;
}

/** The index by itself against the naive one. */
async function againstNaive(endpoints: number, count: number): Promise<readonly Row[]> {
  const loads: { readonly ours: Load; readonly naive: Load }[] = [];
  for (let done = 0; done < count; done++)
    loads.push({ ours: await load('indexed', endpoints), naive: await load('naive', endpoints) });
  return [
    rowOf(
      { id: 'P7', work: `index ${endpoints} endpoints in 10 tags each, against naive`, unit: 'ms', atMost: 1 / 3 },
      loads.map(({ ours, naive }) => ({ ours: ours.ms, floor: naive.ms })),
    ),
    rowOf(
      { id: 'P7', work: 'the memory of that index', unit: 'MB', atMost: 0.4 },
      loads.map(({ ours, naive }) => ({ ours: ours.bytes / 1e6, floor: naive.bytes / 1e6 })),
    ),
  ];
}

/** A whole agent that loads endpoints from files: what an endpoint costs it, and the longest time in which nobody was answered. */
async function wholeAgent(endpoints: number): Promise<readonly Row[]> {
  const PROFILES = 200;
  const all = Object.fromEntries(
    Array.from({ length: endpoints }, (_, i) => [
      `node/k8s/e-${i}`,
      {
        profiles: [`p${i % PROFILES}`, `p${(i * 7 + 1) % PROFILES}`],
        ipv4: [`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`],
      },
    ]),
  );
  const profiles = Object.fromEntries(
    Array.from({ length: PROFILES }, (_, i) => [
      `p${i}`,
      { tags: Array.from({ length: 5 }, (_, tag) => `t${i}.${tag}`) },
    ]),
  );
  // Nothing is referenced: what is measured is the model, not the kernel.
  const documents = pages('all', all, { profiles, references: { bench: [] } });
  return withAgent({ documents, config: { startTimeoutSeconds: 300 } }, async (agent) => {
    await agent.settled();
    const blocked = await agent.metric('setkeeper_event_loop_lag_seconds');
    const [source] = await agent.query<{ objects: number }[]>('sources.list');
    if ((source?.objects ?? 0) < endpoints) throw new Error(`only ${source?.objects} objects were read`);
    await pause(3000);
    const bytes = await agent.residentBytes();
    return [
      rowOf({ id: 'P7', work: `bytes resident for each of ${endpoints} endpoints`, unit: 'bytes', atMost: 1 }, [
        { ours: bytes / endpoints, floor: 600 },
      ]),
      rowOf({ id: 'P7', work: 'longest time the event loop was blocked by that load', unit: 'ms', atMost: 1 }, [
        { ours: blocked * 1000, floor: 50 },
      ]),
    ];
  });
}

/** P7: loading a large model. */
export const p7: Goal = {
  id: 'P7',
  run: async ({ isQuick }) => {
    const [alone, count, whole] = isQuick ? [5000, 1, 5000] : [100_000, 5, 1_000_000];
    return [...(await againstNaive(alone, count)), ...(await wholeAgent(whole))];
  },
};
