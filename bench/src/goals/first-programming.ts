import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, pairs, type Row, rowOf } from '../goal.ts';
import { rawRestore } from '../raw.ts';

interface LastRun {
  readonly lastRun: { readonly durationMs: number; readonly operations: { readonly applied: number } } | null;
}

/** Sets of their own profile and tag, each with some members of its own. */
function manySets(
  sets: number,
  members: number,
): { readonly documents: Readonly<Record<string, string>>; lines(): Generator<string> } {
  const profiles: Record<string, unknown> = {};
  const endpoints: Record<string, unknown> = {};
  const groups: string[] = [];
  const address = (set: number, member: number): string => `10.${set >> 8}.${set & 255}.${member + 1}`;
  for (let set = 0; set < sets; set++) {
    profiles[`p${set}`] = { tags: [`t${set}`] };
    endpoints[`e/${set}`] = {
      profiles: [`p${set}`],
      ipv4: Array.from({ length: members }, (_, member) => address(set, member)),
    };
    groups.push(`tag:t${set}`);
  }
  return {
    documents: pages('many', endpoints, { profiles, references: { bench: groups } }),
    *lines() {
      for (let set = 0; set < sets; set++) {
        yield `create raw-${set} hash:ip family inet maxelem 65536`;
        for (let member = 0; member < members; member++) yield `add raw-${set} ${address(set, member)}`;
      }
    },
  };
}

async function programming(sets: number, members: number, atMost: number, count: number): Promise<Row> {
  const { documents, lines } = manySets(sets, members);
  const config = { sets: { settleMs: 0, maxelem: 65_536, families: ['inet'] }, startTimeoutSeconds: 120 };
  const measured = await pairs(count, () =>
    withAgent({ documents, config }, async (agent) => {
      await agent.settled();
      const { lastRun } = await agent.query<LastRun>('status.get');
      if ((lastRun?.operations.applied ?? 0) < sets * members)
        throw new Error('the first run did not program everything');
      const floor = await rawRestore(agent.namespace, lines());
      return { ours: lastRun?.durationMs ?? Number.NaN, floor };
    }),
  );
  return rowOf({ id: 'P4', work: `first programming of ${sets} sets of ${members}`, unit: 'ms', atMost }, measured);
}

/** P4: first programming of many sets. */
export const p4: Goal = {
  id: 'P4',
  run: async ({ isQuick }) =>
    isQuick
      ? [await programming(300, 20, 0.75, 1)]
      : [await programming(10_000, 100, 0.3, 3), await programming(10_000, 10, 0.75, 5)],
};
