import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { type Goal, milliseconds, type Pair, pairs, type Row, rowOf } from '../goal.ts';
import { addresses, inNamespace, rawRestore } from '../raw.ts';

interface RunAnswer {
  readonly id: string;
  readonly durationMs: number;
  readonly operations: { readonly applied: number; readonly rejected: number };
}

/**
 * A plan whose last lines the kernel rejects, because somebody filled the set meanwhile: the set has room for all lines but `bad`.
 * The floor is the clean file and one restore of one line for each rejected one.
 */
async function rejected(lines: number, bad: number, count: number): Promise<Row> {
  const room = lines;
  const config = {
    sets: { settleMs: 0, maxelem: room, families: ['inet'], apply: 'manual' },
    resync: { headersSeconds: 0, membersSeconds: 0 },
  };
  const measured = await pairs(count, () =>
    withAgent(
      {
        documents: { 'empty.yaml': 'profiles: { big: { tags: [big] } }\nreferences: { bench: ["tag:big"] }\n' },
        config,
      },
      async (agent): Promise<Pair> => {
        await agent.settled();
        await agent.act('plan.apply', { wait: true }).catch(() => undefined);
        await agent.settled();
        for (const address of addresses(bad, 9_000_000)) await agent.namespace.ipset(['add', 'sk-v4-t.big', address]);
        for (const [file, text] of Object.entries(bigTag([...addresses(lines)])))
          await writeFile(join(agent.model, file), text);
        await writeFile(join(agent.model, 'empty.yaml'), '');
        const plan = await waitForPlan(agent, lines);
        const run = await agent.act<RunAnswer>('plan.apply', { digest: plan, wait: true });
        if (run.operations.rejected !== bad)
          throw new Error(`expected ${bad} rejected lines, got ${JSON.stringify(run.operations)}`);
        const clean = await rawRestore(agent.namespace, [
          'create raw hash:ip',
          ...[...addresses(lines - bad)].map((address) => `add raw ${address}`),
        ]);
        let single = 0;
        for (let i = 0; i < bad; i++)
          single += await milliseconds(() =>
            inNamespace(agent.namespace, ['sh', '-c', 'echo "add raw 192.0.2.1" | ipset -exist restore']),
          );
        return { ours: run.durationMs, floor: clean + single };
      },
    ),
  );
  return rowOf({ id: 'P5', work: `${lines} lines, ${bad} rejected`, unit: 'ms', atMost: 1.2 }, measured);
}

async function waitForPlan(
  agent: { query<T>(verb: string, input?: unknown): Promise<T> },
  lines: number,
): Promise<string> {
  for (;;) {
    const plan = await agent.query<{ digest: string; lines: number }>('plan.get', { scriptLimit: 0 });
    if (plan.lines >= lines) return plan.digest;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** P5: lines that the kernel rejects. */
export const p5: Goal = {
  id: 'P5',
  run: async ({ isQuick }) => [isQuick ? await rejected(1000, 5, 1) : await rejected(10_000, 50, 5)],
};
