import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentUnderTest, withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { inNamespace, rawRestore, spawnTimes } from '../raw.ts';
import { waitUntil } from '../wait-until.ts';

interface RunAnswer {
  readonly id: string;
  readonly durationMs: number;
  readonly operations: { readonly applied: number; readonly rejected: number };
}

/** What is measured: a plan over so many sets, in each of which somebody took one place before the plan was applied. */
interface Work {
  readonly name: string;
  readonly sets: number;
  readonly members: number;
  /** Endpoints that only make the agent big. */
  readonly ballast: number;
  readonly count: number;
}

/** The members of one set of one pair. */
const members = (round: number, set: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `10.${round}.${set}.${i + 1}`);

const tag = (round: number, set: number): string => `r${round}.${set}`;

/**
 * A plan of which the kernel rejects one line in each set, since the set is full by then. The floor is the clean file and one
 * restore of one line for each rejected one. Checks that every other line is in the kernel.
 */
async function rejected(work: Work): Promise<Row> {
  const { sets, count } = work;
  const rounds = Array.from({ length: count }, (_, round) => round);
  const tags = rounds.flatMap((round) => Array.from({ length: sets }, (_, set) => tag(round, set)));
  const ballast = Object.fromEntries(
    Array.from({ length: work.ballast }, (_, i) => [
      `ballast/${i}`,
      { profiles: ['ballast'], ipv4: [`172.${16 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`] },
    ]),
  );
  const documents = pages('all', ballast, {
    profiles: { ...Object.fromEntries(tags.map((each) => [each, { tags: [each] }])), ballast: { tags: ['ballast'] } },
    references: { bench: tags.map((each) => `tag:${each}`) },
  });
  const config = {
    sets: { settleMs: 0, maxelem: work.members, families: ['inet'], apply: 'manual' },
    resync: { headersSeconds: 0, membersSeconds: 0, repair: false },
    startTimeoutSeconds: 120,
  };
  return withAgent({ documents, config }, async (agent) => {
    await waitUntil('the creates', async () => ((await plan(agent)).lines >= sets * count ? true : undefined));
    await agent.act('plan.apply', { wait: true });
    let round = 0;
    const measured = await pairs(count, () => onePair(agent, work, round++));
    return rowOf({ id: 'P5', work: work.name, unit: 'ms', atMost: 1.2 }, measured);
  });
}

async function onePair(agent: AgentUnderTest, work: Work, round: number): Promise<Pair> {
  const { sets } = work;
  const each = Array.from({ length: sets }, (_, set) => set);
  const endpoints = Object.fromEntries(
    each.map((set) => [`e/${round}/${set}`, { profiles: [tag(round, set)], ipv4: members(round, set, work.members) }]),
  );
  await writeFile(join(agent.model, '.round.tmp'), JSON.stringify({ endpoints }));
  await rename(join(agent.model, '.round.tmp'), join(agent.model, `round-${round}.json`));
  const lines = sets * work.members;
  const digest = await waitUntil('the plan', async () => {
    const planned = await plan(agent);
    return planned.lines >= lines ? planned.digest : undefined;
  });
  await rawRestore(
    agent.namespace,
    each.map((set) => `add sk-v4-t.${tag(round, set)} 192.0.2.1`),
  );
  const run = await agent.act<RunAnswer>('plan.apply', { digest, wait: true });
  if (run.operations.rejected !== sets)
    throw new Error(`expected ${sets} rejected lines, got ${JSON.stringify(run.operations)}`);
  const inKernel = await inNamespace(agent.namespace, ['ipset', 'save']);
  const good = inKernel.split('\n').filter((line) => line.startsWith('add ') && line.includes(` 10.${round}.`)).length;
  // More of them: what was parked may have been tried again meanwhile.
  if (good < lines - sets) throw new Error(`${good} of ${lines - sets} good lines are in the kernel`);
  return { ours: run.durationMs, floor: await floorOf(agent, work, round) };
}

async function floorOf(agent: AgentUnderTest, work: Work, round: number): Promise<number> {
  const each = Array.from({ length: work.sets }, (_, set) => set);
  const clean = await rawRestore(
    agent.namespace,
    each.flatMap((set) => [
      `create raw-${set} hash:ip`,
      ...members(round, set, work.members - 1).map((address) => `add raw-${set} ${address}`),
    ]),
  );
  const single = await spawnTimes(agent.namespace, work.sets, 'add raw-0 192.0.2.1');
  await rawRestore(
    agent.namespace,
    each.map((set) => `destroy raw-${set}`),
  );
  return single.reduce((sum, ms) => sum + ms, clean);
}

const plan = (agent: AgentUnderTest) => agent.query<{ digest: string; lines: number }>('plan.get', { scriptLimit: 0 });

/** P5: lines that the kernel rejects; and the same with a big agent. */
export const p5: Goal = {
  id: 'P5',
  run: async ({ isQuick }) =>
    isQuick
      ? [await rejected({ name: '1000 lines, 5 rejected', sets: 5, members: 200, ballast: 0, count: 1 })]
      : [
          await rejected({ name: '10000 lines, 50 rejected', sets: 50, members: 200, ballast: 0, count: 5 }),
          await rejected({
            name: 'the same beside 900000 endpoints',
            ...{ sets: 50, members: 200, ballast: 900_000, count: 5 },
          }),
        ],
};
