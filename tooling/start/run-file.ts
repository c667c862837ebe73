import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** What `./setkeeper` and the next `./start` may know about a start that runs. Lines are read with sed too: keep it flat. */
export interface RunFile {
  readonly pid: number;
  readonly mode: string;
  readonly url: string;
  readonly adminSocket: string;
  readonly agentSocket: string;
  /** Null where the agent runs in the host's own namespace. */
  readonly namespace: string | null;
  readonly startedAt: string;
}

/** Writes the file whole or not at all. */
export function writeRunFile(path: string, content: RunFile): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** Whether there is a run file: after a stop there is none, so one at a start is a crash's. */
export function hasRunFile(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Removes the file; one that is not there is fine. */
export function removeRunFile(path: string): void {
  rmSync(path, { force: true });
}
