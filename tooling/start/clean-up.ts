import { rmSync } from 'node:fs';
import type { Layout } from './layout.ts';
import { endProcesses, findLeftBehind } from './left-behind.ts';
import { namespaceExists, removeNamespace } from './network-namespace.ts';
import { hasRunFile, removeRunFile } from './run-file.ts';

/**
 * Ends what a start of this checkout may have left: its processes, its namespace, its runtime directory, its run file.
 * Returns one sentence about what was found, or undefined if there was nothing. Only ever touches what carries this
 * checkout's name, and is called while the start lock is held: nothing of it can be in use.
 */
export async function cleanUp(layout: Layout, graceMs: number): Promise<string | undefined> {
  const found: string[] = [];
  const processes = findLeftBehind(layout.namespace);
  if (processes.length > 0) {
    await endProcesses(processes, graceMs);
    found.push(`${processes.length} process${processes.length === 1 ? '' : 'es'}`);
  }
  if (await namespaceExists(layout.namespace)) {
    await removeNamespace(layout.namespace);
    found.push(`the namespace ${layout.namespace}`);
  }
  if (hasRunFile(layout.runFile)) found.push('its run file');
  rmSync(layout.runtimeDirectory, { recursive: true, force: true });
  removeRunFile(layout.runFile);
  return found.length === 0 ? undefined : `cleaned up after a start that did not end well: ${found.join(', ')}`;
}
