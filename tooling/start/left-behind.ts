import { setTimeout as delay } from 'node:timers/promises';
import { hasInEnvironment, type ProcessEntry, readProcess, readProcesses, withDescendants } from './process-table.ts';

/** Every process that `./start` runs has this in its environment, and its children inherit it. */
export const startMarker = 'SETKEEPER_START';

/**
 * The processes that a start of this layout left running, with their children: found by the mark in their environment,
 * so that no pid file has to be right. This process itself is never among them.
 */
export function findLeftBehind(namespace: string): readonly ProcessEntry[] {
  const table = readProcesses().filter(({ pid }) => pid !== process.pid);
  const marked = table.filter(({ pid }) => hasInEnvironment(pid, `${startMarker}=${namespace}`));
  return withDescendants(table, new Set(marked.map(({ pid }) => pid)));
}

/**
 * Ends processes: asks first, and kills after `graceMs` what still runs. Returns when none of them runs any more.
 * A pid that meanwhile belongs to another process is left alone.
 */
export async function endProcesses(entries: readonly ProcessEntry[], graceMs: number): Promise<void> {
  const running = () => entries.filter(({ pid, startTicks }) => readProcess(pid)?.startTicks === startTicks);
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of running()) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended between the look and the signal.
      }
    }
  };
  const untilGone = async (ms: number) => {
    const end = performance.now() + ms;
    while (running().length > 0 && performance.now() < end) await delay(20);
    return running().length === 0;
  };
  signal('SIGTERM');
  if (await untilGone(graceMs)) return;
  signal('SIGKILL');
  await untilGone(5_000);
}
