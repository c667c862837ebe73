import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, milliseconds, type Row, rowOf } from '../goal.ts';
import { quantile } from '../quantile.ts';
import { restMs } from '../rest.ts';
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

/** What was seen by asking `status.get` again and again. Milliseconds. */
interface Asked {
  readonly answers: readonly number[];
  /** The longest time without a turn of the event loop, in each piece of some tenths of a second. */
  readonly blocked: readonly number[];
}

/** Asks for the status all the time until something is done. */
async function askMeanwhile(agent: AgentUnderTest, done: Promise<void>): Promise<Asked> {
  const LOOK_EVERY_MS = 300;
  const longest = async () => (await agent.metric('setkeeper_event_loop_lag_seconds')) * 1000;
  const answers: number[] = [];
  const blocked: number[] = [];
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  // Whatever blocked it before is not ours.
  await longest();
  let lookedAt = performance.now();
  while (!isDone) {
    answers.push(await milliseconds(() => agent.query('status.get')));
    if (performance.now() - lookedAt > LOOK_EVERY_MS) {
      blocked.push(await longest());
      lookedAt = performance.now();
    }
    await pause(10);
  }
  await ended;
  blocked.push(await longest());
  return { answers, blocked };
}

/** A whole agent that loads endpoints from files: what an endpoint costs it, and whether it answers meanwhile. */
async function wholeAgent(endpoints: number, rest: number, say: (what: string) => void): Promise<readonly Row[]> {
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
    let tookMs = 0;
    const loaded = milliseconds(() => agent.settled()).then((ms) => {
      tookMs = ms;
    });
    const { answers, blocked } = await askMeanwhile(agent, loaded);
    const [source] = await agent.query<{ objects: number }[]>('sources.list');
    if ((source?.objects ?? 0) < endpoints) throw new Error(`only ${source?.objects} objects were read`);
    say(`  ${endpoints} endpoints loaded in ${(tookMs / 1000).toFixed(1)} s; ${answers.length} answers meanwhile`);
    // History is written after the model is in, the parser's thread ends when it has had nothing to do for a while, and the heap shrinks.
    await pause(rest);
    const bytes = await agent.residentBytes();
    const row = (work: string, unit: string, ours: number, floor: number) =>
      rowOf({ id: 'P7', work, unit, atMost: 1 }, [{ ours, floor }]);
    return [
      row(`an agent with ${endpoints} endpoints: bytes resident an endpoint`, 'bytes', bytes / endpoints, 600),
      row('  longest time the event loop was blocked by that load', 'ms', Math.max(...blocked), 50),
      row('  99 of 100 pieces of 0.3 s: longest time blocked', 'ms', quantile(blocked, 0.99), 50),
      row('  status.get meanwhile, half of the answers', 'ms', quantile(answers, 0.5), 50),
      row('  status.get meanwhile, 99 of 100 answers', 'ms', quantile(answers, 0.99), 50),
    ];
  });
}

/** P7: loading a large model. */
export const p7: Goal = {
  id: 'P7',
  run: async ({ isQuick, say }) => {
    const [alone, count, whole] = isQuick ? [5000, 1, 5000] : [100_000, 5, 1_000_000];
    return [...(await againstNaive(alone, count)), ...(await wholeAgent(whole, restMs(isQuick), say))];
  },
};
