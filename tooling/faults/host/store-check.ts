import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Whether a store is whole, just as a killed program left it: file and write-ahead log are copied and SQLite looks at
 * every page of the copy. Throws what it found. The program must not run.
 */
export function requireWholeStore(path: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sk-faults-store-'));
  const copy = join(folder, 'copy.db');
  try {
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const database = new DatabaseSync(copy);
    try {
      const found = database.prepare('PRAGMA integrity_check').all();
      const words = found.map((row) => String(row.integrity_check));
      if (words.length !== 1 || words[0] !== 'ok') throw new Error(`${path} is corrupt: ${words.join('; ')}`);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
