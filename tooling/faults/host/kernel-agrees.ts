import type { FaultHost } from './fault-host.ts';
import { firstDifference, type Wanted } from './first-difference.ts';
import { until } from './until.ts';

/** Waits until every set in the kernel is as wanted and the agent has nothing left to do; throws with the first difference. */
export async function kernelAgrees(host: FaultHost, wanted: Wanted): Promise<void> {
  await until('the kernel to hold what the model says', async () => {
    const difference = firstDifference(await savedSets(host), wanted);
    if (difference !== null) throw new Error(difference);
    const { settled } = await host.query<{ settled: boolean }>('status.settled');
    return settled ? true : undefined;
  });
}

async function savedSets({ namespace }: FaultHost): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sets = new Map<string, Set<string>>();
  for (const line of (await namespace.ipset(['save'])).split('\n')) {
    const [word, set = '', member = ''] = line.split(' ');
    if (word === 'create') sets.set(set, new Set());
    else if (word === 'add') sets.get(set)?.add(member);
  }
  return sets;
}
