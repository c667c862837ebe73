import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { withAgent } from '../agent-under-test.ts';
import { manySets } from '../documents.ts';
import { expectInKernel } from '../expect-in-kernel.ts';
import { type Goal, milliseconds, pairs, rowOf } from '../goal.ts';
import { inNamespace, rawRestore } from '../raw.ts';
import { waitUntil } from '../wait-until.ts';

const LOADER = fileURLToPath(new URL('../../../packaging/boot/setkeeper-boot', import.meta.url));

/** How many lines of the boot files begin so. */
async function linesOf(folder: string, start: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.restore')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    for (const line of text.split('\n')) if (line.startsWith(start)) count++;
  }
  return count;
}

/** A host just after boot: a namespace without sets. */
async function withFresh<T>(use: (namespace: TestNamespace) => Promise<T>): Promise<T> {
  const namespace = await makeNetworkNamespace();
  try {
    return await use(namespace);
  } finally {
    await namespace.remove();
  }
}

/** P13: what the agent wrote down, loaded by the boot unit's program. */
export const p13: Goal = {
  id: 'P13',
  run: async ({ isQuick }) => {
    const [sets, members, count] = isQuick ? [300, 20, 1] : [10_000, 100, 5];
    const { documents, lines } = manySets(sets, members);
    const config = { sets: { settleMs: 0, maxelem: 65_536, families: ['inet'] }, startTimeoutSeconds: 120 };
    return withAgent({ documents, config }, async (agent) => {
      await agent.settled();
      const folder = join(agent.folder, 'boot.d');
      await waitUntil('the boot files', async () =>
        (await linesOf(folder, 'create ')) >= sets && (await linesOf(folder, 'add ')) >= sets * members
          ? true
          : undefined,
      );
      const measured = await pairs(count, async () => {
        const ours = await withFresh(async (namespace) => {
          const ms = await milliseconds(() => inNamespace(namespace, ['sh', LOADER, '--directory', folder]));
          await expectInKernel(namespace, 'sk-v4-', { sets, members: sets * members });
          return ms;
        });
        const floor = await withFresh((namespace) => rawRestore(namespace, lines()));
        return { ours, floor };
      });
      const work = `boot files of ${sets} sets of ${members}`;
      return [rowOf({ id: 'P13', work, unit: 'ms', atMost: 0.4 }, measured)];
    });
  },
};
