import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, milliseconds, type Pair, pairs, rowOf } from '../goal.ts';

/** What an operator asks of a long list: pages, sorts, filters. */
const QUESTIONS: readonly Readonly<Record<string, unknown>>[] = [
  { limit: 100 },
  { limit: 100, sort: { by: 'desired', desc: true } },
  { limit: 100, sort: { by: 'name', desc: true } },
  { limit: 100, filter: 't4999' },
  { limit: 100, filter: 'family:inet6', sort: { by: 'group', desc: true } },
  { limit: 100, state: 'waiting', sort: { by: 'changedAt', desc: true } },
];

/** Pages of a list of so many groups in two families, each against 50 ms. */
export async function pagePairs(groups: number, count: number): Promise<readonly Pair[]> {
  const profiles = Object.fromEntries(Array.from({ length: groups }, (_, i) => [`p${i}`, { tags: [`t${i}`] }]));
  // A namespace holds at most 65,472 sets; the list shows those that nothing needs in the kernel as well.
  const documents = pages('many', profileUsers(groups), { profiles, references: { bench: ['tag:t1'] } });
  return withAgent({ documents, config: { startTimeoutSeconds: 120 } }, async (agent) => {
    await agent.settled();
    let asked = 0;
    const ask = () => agent.query<{ total?: number; items: readonly unknown[] }>('sets.list', QUESTIONS[asked++ % 6]);
    const { items } = await ask();
    if (items.length !== 100) throw new Error(`a page of ${items.length} sets`);
    return pairs(count, async () => ({ ours: await milliseconds(ask), floor: 50 }));
  });
}

/** P10, the agent's part: one page of a long list of sets. The browser's part is `console.ts`. */
export const p10: Goal = {
  id: 'P10',
  run: async ({ isQuick }) => {
    const [groups, count] = isQuick ? [1000, 6] : [50_000, 120];
    const slowest = (await pagePairs(groups, count))
      .toSorted((a, b) => a.ours - b.ours)
      .slice(0, Math.ceil(count * 0.95))
      .at(-1);
    const facts = { id: 'P10', work: `p95 of a page of ${groups * 2} sets, over ${count}`, unit: 'ms', atMost: 1 };
    return [rowOf(facts, slowest === undefined ? [] : [slowest])];
  },
};

/** An endpoint for every tenth profile: sets of different sizes. */
const profileUsers = (profiles: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Array.from({ length: profiles / 10 }, (_, i) => [
      `e/${i}`,
      { profiles: [`p${i * 10}`], ipv4: [`10.0.${i >> 8}.${i & 255}`] },
    ]),
  );
