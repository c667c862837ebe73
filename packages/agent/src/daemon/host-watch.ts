import { acknowledgementName, temporaryName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { createHolderReader } from '../holders/create-holder-reader.ts';
import type { HolderReader } from '../holders/holder-reading.ts';
import { launchedHolderTools } from '../holders/launched-holder-tools.ts';
import { helperHolderTools } from '../holders-helper/helper-holder-tools.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import { heardReader } from '../observe/heard-reader.ts';
import { HostObserver } from '../observe/host-observer.ts';
import type { KernelSide } from './kernel-side.ts';

/** The readers of the host, and who keeps what they read. */
export interface HostWatch {
  readonly observer: HostObserver;
  readonly holders: HolderReader;
  /** What it reads of headers, the observer hears. */
  readonly reader: KernelReader;
  /** Whether a set is one that this agent uses for itself: its acknowledgement set, and temporary ones while a run is under way. */
  isInternal(name: string, isRunning: boolean): boolean;
}

export function openHostWatch(options: {
  readonly config: AgentConfig;
  readonly kernel: KernelSide;
  readonly clock: Clock;
  /** The same that names of temporary and acknowledgement sets of this start begin with. */
  readonly unique: string;
  /** Where the holders helper listens; null: there is none, and the tools run with the agent's own rights. */
  readonly holdersSocket: string | null;
}): HostWatch {
  const { config, kernel, clock, unique, holdersSocket } = options;
  const { prefix } = config.sets;
  const acknowledgement = acknowledgementName(prefix, unique);
  const temporary = temporaryName(prefix, unique);
  const own = launchedHolderTools(kernel.launcher);
  const tools = holdersSocket === null ? own : helperHolderTools(holdersSocket, own);
  const holders = createHolderReader({ tools, reader: kernel.reader, clock });
  let hear: HostObserver['hear'] = () => {};
  const reader = heardReader(kernel.reader, (reading) => hear(reading));
  const observer = new HostObserver({ reader, holders, clock, leaksAfterSeconds: config.leaks.afterSeconds });
  hear = (reading) => observer.hear(reading);
  return {
    observer,
    holders,
    reader,
    isInternal: (name, isRunning) => name.startsWith(acknowledgement) || (isRunning && name.startsWith(temporary)),
  };
}
