import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { milliseconds, type Pair, pairs } from '../goal.ts';
import { addresses, rawRestore } from '../raw.ts';

/** From the first answer of an agent until so many endpoints are read and in one set of the kernel, against a restore of its lines. */
export function loadPairs(endpoints: number, count: number): Promise<readonly Pair[]> {
  const all = [...addresses(endpoints)];
  const objects = Object.fromEntries(all.map((address, i) => [`e/${i}`, { profiles: ['p'], ipv4: [address] }]));
  const documents = pages('all', objects, { profiles: { p: { tags: ['one'] } }, references: { bench: ['tag:one'] } });
  const config = {
    sets: { settleMs: 0, families: ['inet'], maxelem: 4_194_304 },
    startTimeoutSeconds: 300,
  };
  return pairs(count, () =>
    withAgent({ documents, config }, async (agent) => ({
      ours: await milliseconds(() => agent.settled()),
      floor: await rawRestore(agent.namespace, [
        'create raw hash:ip maxelem 4194304',
        ...all.map((address) => `add raw ${address}`),
      ]),
    })),
  );
}
