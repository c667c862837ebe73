import { BootFiles } from '../boot/boot-files.ts';
import { BootFolder } from '../boot/boot-folder.ts';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { Engine } from '../engine/engine.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { restoreLine } from '../restore/restore-line.ts';

export interface OpenBootFilesOptions {
  readonly config: AgentConfig;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
}

/** The boot files of an agent that manages sets. Nothing is written before it has taken the kernel's sets over. */
export function openBootFiles({ config, engine, clock, problems }: OpenBootFilesOptions): BootFiles {
  const { state } = engine;
  const { directory, everySeconds } = config.boot;
  return new BootFiles({
    folder: new BootFolder(directory),
    path: directory,
    everySeconds,
    sets: () => state.registry.all(),
    isForeign: (set) => set.isHandedOver && !state.releasedHandOvers.has(set.name),
    isReady: () => config.mode === 'manage' && state.isAdopted,
    render: restoreLine,
    still: (act) => engine.still(act),
    clock,
    problems,
  });
}
