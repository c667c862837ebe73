import {
  type ListedSet,
  type Member,
  memberFromKernel,
  memberKey,
  renderOperation,
  type SetHeader,
  type SetName,
} from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import { IPSET_ENVIRONMENT } from '../kernel/ipset-environment.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { Launcher } from '../launcher/launcher-client.ts';
import type { Plan } from '../plan/plan.ts';
import { type ChildReason, ChildSupply } from './child-supply.ts';
import type { Execution, RestoreExecutor } from './execution.ts';
import { RestoreRun } from './restore-run.ts';

export interface RestoreExecutorOptions {
  /** Holds the writer lock already. */
  readonly launcher: Launcher;
  readonly reader: Pick<KernelReader, 'header' | 'headers' | 'members'>;
  readonly clock: Clock;
  /** Absolute path of ipset. */
  readonly ipsetPath: string;
  /** Absolute path of stdbuf; null where it is missing: then each batch has a process of its own. */
  readonly stdbufPath: string | null;
  /** `sets.prefix`, for the acknowledgement set. */
  readonly prefix: string;
  /** A new text for each call, of at most 18 characters: names of acknowledgement sets are never shared. */
  readonly unique: () => string;
  /** A number in [0, 1): spreads retries. */
  readonly random: () => number;
  readonly timeoutSeconds: number;
  readonly onChild?: (reason: ChildReason) => void;
  /** A protocol warning of ipset that is no error: for the log. */
  readonly onWarning?: (text: string) => void;
}

const CLEAN_UP_SECONDS = 10;
/** From so many on, the headers of all sets are read in one go. */
const HEADERS_ONE_BY_ONE_MAX = 8;

/** The writer into the kernel over restore children. Costs nothing until the first plan. */
export function createRestoreExecutor(options: RestoreExecutorOptions): RestoreExecutor {
  const supply = new ChildSupply(options);
  let runs = 0;
  let isRunning = false;
  let isStale = false;

  const readHeader = async (set: SetName) => {
    const reading = await options.reader.header(set);
    if (reading.ok) return reading.value;
    return reading.fault.code === 'set-missing' ? 'missing' : null;
  };
  const readHeaders = async (sets: readonly SetName[]): Promise<ReadonlyMap<SetName, ListedSet>> => {
    if (sets.length > HEADERS_ONE_BY_ONE_MAX) {
      const all = await options.reader.headers();
      return new Map(all.ok ? all.value.map((set) => [set.header.name, set]) : []);
    }
    const seen = new Map<SetName, ListedSet>();
    for (const set of sets) {
      const one = await options.reader.header(set);
      if (one.ok) seen.set(set, one.value);
    }
    return seen;
  };
  const readPresent = async (
    set: SetName,
    wanted: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Member> | null> => {
    const present = new Map<string, Member>();
    let header: SetHeader | null = null;
    const reading = await options.reader.members(set, {
      onSet: (seen) => {
        header = seen;
      },
      onMember: (_set, element, given) => {
        if (header === null) return;
        const member = memberFromKernel(header.type, header.family, element, given?.nomatch ?? false);
        if (wanted.has(memberKey(member))) present.set(memberKey(member), member);
      },
      onAnomaly: () => undefined,
    });
    return reading.ok ? present : null;
  };
  const destroy = (set: SetName): Promise<boolean> => destroyAlone(options, set);

  const execute: RestoreExecutor['execute'] = async (plan: Plan, { signal, onProgress }): Promise<Execution> => {
    if (isRunning) throw new Error('A plan is being executed: one at a time');
    isRunning = true;
    try {
      const run = new RestoreRun({
        ...options,
        plan,
        run: ++runs,
        supply,
        readHeader,
        readHeaders,
        readPresent,
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      });
      const execution = await run.execute();
      const { leftTemporary } = execution;
      if (leftTemporary.length === 0) return execution;
      // The run's last child knows these sets; another one is about to destroy them.
      supply.retire('recycled');
      const isGone = new Set<SetName>();
      for (const set of leftTemporary) if (await destroy(set)) isGone.add(set);
      return { ...execution, leftTemporary: leftTemporary.filter((set) => !isGone.has(set)) };
    } finally {
      isRunning = false;
      if (isStale) supply.retire('recycled');
      isStale = false;
    }
  };

  return {
    execute,
    recycle: () => {
      // The child of a run under way is that run's: it is let go when the run has ended.
      if (isRunning) isStale = true;
      else supply.retire('recycled');
    },
    async close() {
      for (const set of await supply.close()) await destroy(set);
    },
  };
}

/** Destroys one set of ours by a process of its own; true when it is gone, or was not there. */
async function destroyAlone({ launcher, ipsetPath }: RestoreExecutorOptions, set: SetName): Promise<boolean> {
  const { exitCode } = await launcher.run({
    file: ipsetPath,
    args: ['-exist', 'restore'],
    env: IPSET_ENVIRONMENT,
    isWriter: true,
    timeoutSeconds: CLEAN_UP_SECONDS,
    input: `${renderOperation({ op: 'destroy', set })}\n`,
  });
  return exitCode === 0;
}
