import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { asStoreFault, StoreFault } from './store-fault.ts';

/**
 * Takes a store for this process alone, in every namespace, until it is released or the process dies: an exclusive
 * SQLite transaction on a small file beside it, because Node has no file locks of its own. The store itself stays
 * readable for other programs (backups, `sqlite3`).
 */
export function lockStore(path: string): { release(): void } {
  const lockPath = `${path}.lock`;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockPath, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    chmodSync(lockPath, 0o600);
  } catch (error) {
    lock?.close();
    const fault = asStoreFault(error, lockPath);
    if (fault instanceof StoreFault && fault.code === 'in-use')
      throw new StoreFault('in-use', path, `Another agent uses the store ${path}. One store serves one agent.`, error);
    throw fault;
  }
  const held = lock;
  return { release: () => held.close() };
}
