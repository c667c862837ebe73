import { existsSync, renameSync, statSync } from 'node:fs';
import { type Database, openDatabase } from './database.ts';
import { isCorruption, StoreFault } from './store-fault.ts';

/** Where a damaged file went. */
export interface SetAside {
  readonly movedTo: string;
  readonly reason: string;
}

/** How much of a file is checked page by page at start; a larger one is checked by its schema and by `tables` alone, so that a start stays quick. */
const WHOLE_CHECK_BYTES_MAX = 64 * 1024 * 1024;

/** What is wrong with a file that exists, or null. Reads; changes nothing but what SQLite's own recovery of its log does. */
export function findDamage(path: string, tables: readonly string[]): string | null {
  if (!existsSync(path)) return null;
  const size = statSync(path).size;
  if (size === 0) return 'the file is empty';
  let database: Database | undefined;
  try {
    database = openDatabase(path);
    const checks = size <= WHOLE_CHECK_BYTES_MAX ? [''] : existing(database, tables).map((table) => `('${table}')`);
    for (const check of checks) {
      const answer = database.get(`PRAGMA quick_check${check}`);
      const words = Object.values(answer ?? {})[0];
      if (words !== 'ok') return String(words);
    }
    return null;
  } catch (error) {
    if (error instanceof StoreFault && (error.code === 'corrupt' || isCorruption(error.cause))) return error.message;
    throw error;
  } finally {
    database?.close();
  }
}

/** Moves a damaged file and its logs out of the way, keeping them for whoever wants to look. */
export function setAside(path: string, stamp: string, reason: string): SetAside {
  const movedTo = `${path}.damaged-${stamp.replaceAll(':', '')}`;
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${movedTo}${suffix}`);
  return { movedTo, reason };
}

function existing(database: Database, tables: readonly string[]): readonly string[] {
  const rows = database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = new Set(rows.map((row) => row.name));
  return tables.filter((table) => names.has(table));
}
