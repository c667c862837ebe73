import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine as /proc shows it. The pid may be used again; pid and start together may not. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks since boot (proc(5), stat, field 22). */
  readonly startTicks: string;
}

/** Every process that this user may look at. */
export function readProcesses(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const entry = readProcess(Number(name));
      return entry === undefined ? [] : [entry];
    });
}

/** One process, or undefined if it is gone (or a zombie: it runs no more). */
export function readProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name stands in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, startTicks] = [fields[0], fields[1], fields[19]];
    if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
    return { pid, parent: Number(parent), startTicks };
  } catch {
    return undefined;
  }
}

/** Whether a process was started with `NAME=VALUE` in its environment. */
export function hasInEnvironment(pid: number, assignment: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(assignment);
  } catch {
    return false;
  }
}

/** The given processes and all that descend from them, by the parents of `table`. Pure. */
export function withDescendants(table: readonly ProcessEntry[], roots: ReadonlySet<number>): readonly ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  for (const entry of table) if (roots.has(entry.pid)) found.set(entry.pid, entry);
  for (let grown = true; grown; ) {
    grown = false;
    for (const entry of table) {
      if (!found.has(entry.pid) && found.has(entry.parent)) {
        found.set(entry.pid, entry);
        grown = true;
      }
    }
  }
  return [...found.values()];
}
