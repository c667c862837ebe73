import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { createSteadyLauncher, type SteadyLauncher } from '../../daemon/steady-launcher.ts';
import type { KernelReader } from '../../kernel/kernel-reader.ts';
import { createLauncher, type StartedLauncher } from '../../launcher/create-launcher.ts';
import { nodeClock } from '../../node-clock.ts';
import type { RestoreExecutor } from '../execution.ts';
import { type WriteWatch, watchingWrites } from './kill-moment.ts';
import { type LineShell, openLineShell } from './line-shell.ts';
import { LAUNCHER_ENTRY, makeExecutor, startLauncher } from './real-kernel.ts';

/** What an agent writes into the kernel with: a launcher that is started again when it dies, and what goes through it. */
export interface Writer {
  readonly executor: RestoreExecutor;
  readonly reader: KernelReader;
  /** Kills the launcher; resolves when a new one holds the writer lock. */
  killLauncher(): Promise<void>;
  close(): Promise<void>;
}

/** Two namespaces: in one plans are executed, with all that can go wrong; in the other an oracle runs them line by line. */
export interface RandomWorld {
  readonly namespace: TestNamespace;
  /** Somebody else in the tested namespace. */
  readonly beside: LineShell;
  /** Where the oracle works. */
  readonly alone: LineShell;
  /** What the writer's children are watched with. */
  watch: WriteWatch;
  /** Takes the writer lock. One at a time. */
  openWriter(): Promise<Writer>;
  /** Makes the oracle's sets the same as those of the tested namespace. */
  mirror(): Promise<void>;
  remove(): Promise<void>;
}

export const UNWATCHED: WriteWatch = { before: () => undefined, after: () => undefined };

/** Makes one. `remove` takes all of it away again, but for a writer that is open. */
export async function makeRandomWorld(): Promise<RandomWorld> {
  const [tested, oracle] = await Promise.all([makeNetworkNamespace(), makeNetworkNamespace()]);
  const start = (namespace: TestNamespace) =>
    createLauncher({ nodePath: process.execPath, entryPath: LAUNCHER_ENTRY, commandPrefix: namespace.prefix });
  const [besideLauncher, aloneLauncher] = await Promise.all([start(tested), start(oracle)]);
  const [beside, alone] = await Promise.all([openLineShell(besideLauncher), openLineShell(aloneLauncher)]);
  const world: RandomWorld = {
    namespace: tested,
    beside,
    alone,
    watch: UNWATCHED,
    openWriter: () => openWriter(tested, () => world.watch),
    async mirror() {
      await alone.run('flush');
      await alone.run('destroy');
      await oracle.ipset(['-exist', 'restore'], await tested.ipset(['save']));
    },
    async remove() {
      beside.close();
      alone.close();
      await Promise.all([besideLauncher.close(), aloneLauncher.close()]);
      await Promise.all([tested.remove(), oracle.remove()]);
    },
  };
  return world;
}

async function openWriter(namespace: TestNamespace, watch: () => WriteWatch): Promise<Writer> {
  let running: StartedLauncher | null = null;
  let isUp: () => void = () => undefined;
  const launcher: SteadyLauncher = await createSteadyLauncher({
    start: async () => {
      running = await startLauncher(namespace);
      return running;
    },
    clock: nodeClock,
    onDown: () => undefined,
    onUp: () => isUp(),
  });
  const parts = await makeExecutor(launcher, {
    through: (same) =>
      watchingWrites(same, { before: (child) => watch().before(child), after: (child) => watch().after(child) }),
  });
  return {
    ...parts,
    async killLauncher() {
      const up = new Promise<void>((resolve) => {
        isUp = resolve;
      });
      if (running !== null) process.kill(running.pid, 'SIGKILL');
      await up;
    },
    async close() {
      await parts.executor.close();
      await launcher.close();
    },
  };
}
