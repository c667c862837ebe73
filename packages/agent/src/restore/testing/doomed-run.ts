/**
 * An agent's launcher and executor that run one random plan in a namespace, for a test that kills them in the middle:
 * `node doomed-run.ts NAMESPACE SEED SECTIONS-MAX MEMBERS-MAX`. Says `ready` just before the run, and `done` behind it.
 */
import { randomPlan } from '@setkeeper/testkit';
import { createLauncher } from '../../launcher/create-launcher.ts';
import { LAUNCHER_ENTRY, makeExecutor, planOf } from './real-kernel.ts';

const [namespace = '', seed = '', sectionsMax = '', membersMax = ''] = process.argv.slice(2);
const launcher = await createLauncher({
  nodePath: process.execPath,
  entryPath: LAUNCHER_ENTRY,
  commandPrefix: ['ip', 'netns', 'exec', namespace],
});
const lock = await launcher.acquireWriterLock(20);
if (!lock.held) throw new Error(lock.message);
const { executor } = await makeExecutor(launcher);
const { sections } = randomPlan(Number(seed), { sectionsMax: Number(sectionsMax), membersMax: Number(membersMax) });
process.stdout.write('ready\n');
await executor.execute(planOf(sections), {});
process.stdout.write('done\n');
await new Promise(() => setInterval(() => undefined, 1000));
