import { temporaryName } from '@setkeeper/ipset';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import { type Preflight, preflight } from '../kernel/preflight.ts';
import { createLauncher } from '../launcher/create-launcher.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { meteredExecutor } from '../metrics/metered-executor.ts';
import { meteredReader } from '../metrics/metered-reader.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { createRestoreExecutor } from '../restore/create-restore-executor.ts';
import type { RestoreExecutor } from '../restore/execution.ts';
import { StartRefusal } from './start-refusal.ts';
import { createSteadyLauncher, type SteadyLauncher } from './steady-launcher.ts';

/** The way to the kernel: the launcher and what goes through it. */
export interface KernelSide {
  readonly launcher: SteadyLauncher;
  readonly reader: KernelReader;
  readonly executor: RestoreExecutor;
  readonly preflight: Preflight;
  /** What `iptables --version` says after the name, such as `1.8.11 (nf_tables)`; null: not installed. */
  readonly iptables: string | null;
}

export interface KernelSideOptions {
  readonly config: AgentConfig;
  /** `entry/launcher.ts`, or its bundle. */
  readonly launcherProgram: string;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly metrics: AgentMetrics;
  readonly log: Logger;
  /** Unique to this start, at most 12 of `[a-z0-9]`. */
  readonly unique: string;
}

/** How long a new agent waits for what an agent that was killed left behind (its children die a moment after it). */
const LOCK_WAIT_SECONDS = 5;
/** Where ipset is expected when there is none yet: it may be installed while the agent runs. */
const IPSET_EXPECTED = '/usr/sbin/ipset';

/** Starts the launcher, takes the namespace's writer lock (but not to observe) and looks at what is there. Throws a StartRefusal. */
export async function openKernelSide(options: KernelSideOptions): Promise<KernelSide> {
  const { config, clock, problems, metrics, log, unique } = options;
  const launcher = await createSteadyLauncher({
    start: () => createLauncher({ nodePath: process.execPath, entryPath: options.launcherProgram }),
    clock,
    onDown: (why) => {
      log.error({ why }, 'the launcher process is gone; starting it again');
      problems.raise({
        code: 'writer-lost',
        subject: 'launcher',
        message: `The launcher process is gone: ${why}`,
        consequence: 'Nothing is read or programmed until it is back. What the kernel has stays.',
        remedy: 'It is started again by itself; look into the log if that does not help.',
      });
    },
    onUp: () => problems.clear('writer-lost', 'launcher'),
  }).catch((error: unknown) => {
    throw new StartRefusal(`The launcher process does not start: ${words(error)}`, error);
  });
  try {
    const isManaging = config.mode === 'manage';
    if (isManaging) {
      const lock = await launcher.acquireWriterLock(LOCK_WAIT_SECONDS);
      if (!lock.held) throw new StartRefusal(lock.message);
    }
    const { timeoutSeconds } = config.ipset;
    const probeName = isManaging ? temporaryName(config.sets.prefix, `${unique}-probe`) : null;
    const found = await preflight({ launcher, ipset: config.ipset.path, probeName, timeoutSeconds });
    raiseObstacles(found, problems, config.mode);
    const ipsetPath = found.ipsetPath ?? IPSET_EXPECTED;
    const reader = meteredReader(createKernelReader({ launcher, clock, ipsetPath, timeoutSeconds }), metrics);
    let names = 0;
    const executor = createRestoreExecutor({
      launcher,
      reader,
      clock,
      ipsetPath,
      stdbufPath: found.stdbufPath,
      prefix: config.sets.prefix,
      unique: () => `${unique}${(names++).toString(36)}`,
      random: Math.random,
      timeoutSeconds,
      onChild: (reason) => metrics.restoreChildren.inc({ reason }),
      onWarning: (text) => log.warn({ text }, 'ipset warns'),
    });
    const iptables = await iptablesVersion(launcher);
    return { launcher, reader, executor: meteredExecutor(executor, metrics), preflight: found, iptables };
  } catch (error) {
    await launcher.close();
    throw error;
  }
}

async function iptablesVersion(launcher: SteadyLauncher): Promise<string | null> {
  const file = await launcher.which('iptables');
  if (file === null) return null;
  const { stdout } = await launcher.run({ file, args: ['--version'], timeoutSeconds: 5 });
  return /^iptables v(.+)$/mu.exec(Buffer.from(stdout).toString('utf8'))?.[1] ?? null;
}

function raiseObstacles(found: Preflight, problems: ProblemBoard, mode: AgentConfig['mode']): void {
  for (const { code, message, remedy } of found.obstacles) {
    if (mode === 'observe' && code !== 'no-ipset') continue;
    problems.raise({
      code: 'environment',
      subject: code,
      message: `${message}.`,
      consequence: 'Sets cannot be programmed as long as this stands.',
      remedy: `${remedy}, then start the agent again.`,
    });
  }
  if (mode === 'manage' && found.stdbufPath === null)
    problems.raise({
      code: 'no-stdbuf',
      subject: 'stdbuf',
      message: 'There is no stdbuf: each batch has a restore process of its own.',
      consequence: 'Each change takes some milliseconds longer.',
      remedy: 'Install the package coreutils.',
    });
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
