/**
 * A program that rewrites a large set in a namespace and says so, for a test that kills it in the middle:
 * `node doomed-agent.ts NAMESPACE UNIQUE`.
 */
import { desiredHeader, type Member, type SetName } from '@setkeeper/ipset';
import { createLauncher } from '../../launcher/create-launcher.ts';
import type { Section } from '../../plan/plan.ts';
import { LAUNCHER_ENTRY, makeExecutor, planOf } from './real-kernel.ts';

const [namespace = '', unique = ''] = process.argv.slice(2);
const launcher = await createLauncher({
  nodePath: process.execPath,
  entryPath: LAUNCHER_ENTRY,
  commandPrefix: ['ip', 'netns', 'exec', namespace],
});
const lock = await launcher.acquireWriterLock(20);
if (!lock.held) throw new Error(lock.message);
const { executor } = await makeExecutor(launcher);

const name = 'sk-v4-t.main' as SetName;
const adds = Array.from({ length: 100_000 }, (_, i) => `198.${18 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}` as Member);
const header = desiredHeader({ name, type: 'hash:ip', family: 'inet', maxelem: 200_000, members: adds.length });
const section = {
  group: null,
  family: 'inet',
  set: name,
  header,
  createMain: false,
  dels: [],
  before: 0,
  after: 0,
} as const;
const first: Section = { ...section, how: 'create', temp: null, adds: ['192.0.2.1' as Member] };
const whole: Section = { ...section, how: 'rewrite', temp: `sk-tmp-doomed-${unique}` as SetName, adds };

await executor.execute(planOf([first]), {});
let isSaid = false;
await executor.execute(planOf([whole]), {
  onProgress: ({ done }) => {
    if (done > 20_000 && !isSaid) process.stdout.write('under way\n');
    isSaid ||= done > 20_000;
  },
});
await new Promise(() => setInterval(() => undefined, 1000));
