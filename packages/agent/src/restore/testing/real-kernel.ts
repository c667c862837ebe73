import { fileURLToPath } from 'node:url';
import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { createKernelReader } from '../../kernel/create-kernel-reader.ts';
import type { KernelReader } from '../../kernel/kernel-reader.ts';
import { createLauncher, type StartedLauncher } from '../../launcher/create-launcher.ts';
import type { Launcher } from '../../launcher/launcher-client.ts';
import { nodeClock } from '../../node-clock.ts';
import type { Digest, Plan, Section } from '../../plan/plan.ts';
import { createRestoreExecutor, type RestoreExecutorOptions } from '../create-restore-executor.ts';
import type { RestoreExecutor } from '../execution.ts';

/** The launcher's program, for tests that start it. */
export const LAUNCHER_ENTRY = fileURLToPath(new URL('../../entry/launcher.ts', import.meta.url));

/** A launcher, a reader and an executor on the real kernel, in a network namespace of their own. */
export interface RealKernel {
  readonly namespace: TestNamespace;
  readonly launcher: StartedLauncher;
  readonly reader: KernelReader;
  readonly executor: RestoreExecutor;
  readonly ipsetPath: string;
  remove(): Promise<void>;
}

export interface RealKernelOptions {
  /** Stands between the executor and the launcher. */
  readonly through?: (launcher: Launcher) => Launcher;
  readonly executor?: Partial<RestoreExecutorOptions>;
}

/** Makes one. `remove` takes all of it away again. */
export async function makeRealKernel(options: RealKernelOptions = {}): Promise<RealKernel> {
  const namespace = await makeNetworkNamespace();
  const launcher = await startLauncher(namespace);
  const parts = await makeExecutor(launcher, options);
  return {
    namespace,
    launcher,
    ...parts,
    async remove() {
      await parts.executor.close();
      await launcher.close();
      await namespace.remove();
    },
  };
}

/** A launcher inside a namespace, with the writer lock. */
export async function startLauncher(namespace: TestNamespace): Promise<StartedLauncher> {
  const launcher = await createLauncher({
    nodePath: process.execPath,
    entryPath: LAUNCHER_ENTRY,
    commandPrefix: namespace.prefix,
  });
  const lock = await launcher.acquireWriterLock(10);
  if (!lock.held) throw new Error(lock.message);
  return launcher;
}

let lastName = 0;

export async function makeExecutor(launcher: Launcher, { through = (same) => same, executor }: RealKernelOptions = {}) {
  const ipsetPath = (await launcher.which('ipset')) ?? '/usr/sbin/ipset';
  const reader = createKernelReader({ launcher, clock: nodeClock, ipsetPath, timeoutSeconds: 60 });
  return {
    ipsetPath,
    reader,
    executor: createRestoreExecutor({
      launcher: through(launcher),
      reader,
      clock: nodeClock,
      ipsetPath,
      stdbufPath: await launcher.which('stdbuf'),
      prefix: 'sk-',
      unique: () => `${process.pid}-${++lastName}`,
      random: Math.random,
      timeoutSeconds: 60,
      ...executor,
    }),
  };
}

export const planOf = (sections: readonly Section[]): Plan => ({
  digest: 'test' as Digest,
  modelRevision: 1,
  sections,
  lines: 0,
});

/** `ipset save`, without what differs by chance and without acknowledgement sets, in order. */
export const comparable = (save: string): readonly string[] =>
  save
    .replaceAll(/ bucketsize \d+ initval 0x[0-9a-f]+/g, '')
    .replaceAll(/ hashsize \d+/g, '')
    .split('\n')
    .filter((line) => line !== '' && !/^create sk-ack-/.test(line))
    .sort();
