import { closeSync, copyFileSync, openSync, readSync } from 'node:fs';
import type { Database } from './database.ts';
import { number } from './row.ts';
import { StoreFault } from './store-fault.ts';

/** One step forward of a schema. Its place in the list plus one is the version it leads to; a released step never changes. */
export type Migration = string;

/** SQLite keeps `user_version` as four big-endian bytes at this place of a file's header (sqlite.org/fileformat.html). */
const USER_VERSION_OFFSET = 60;

/** Throws a `newer` fault, before anything is opened, if the file was written by a later version of Setkeeper. */
export function refuseNewer(path: string, migrations: readonly Migration[]): void {
  const version = versionInHeader(path);
  if (version > migrations.length) throw newer(path, version, migrations.length);
}

/**
 * Brings a schema forward, one transaction a step. Before the first step of a store that holds something, the file is
 * copied to `<path>.before-v<N>` (N: the version it is left for), so that the older program can be put back.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  const found = userVersion(database);
  if (found > migrations.length) throw newer(database.path, found, migrations.length);
  if (found === migrations.length) return;
  if (found > 0) copyBefore(database, migrations.length);
  migrations.slice(found).forEach((migration, index) => {
    database.transaction(() => {
      database.exec(migration);
      database.exec(`PRAGMA user_version = ${found + index + 1}`);
    });
  });
}

function copyBefore(database: Database, version: number): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  try {
    copyFileSync(database.path, `${database.path}.before-v${version}`);
  } catch (error) {
    throw new StoreFault(
      'unavailable',
      database.path,
      `${database.path} must be brought to version ${version}, but no copy of it can be made first.`,
      error,
    );
  }
}

const userVersion = (database: Database): number => number(database.get('PRAGMA user_version') ?? {}, 'user_version');

function newer(path: string, found: number, known: number): StoreFault {
  return new StoreFault(
    'newer',
    path,
    `${path} was written by a newer Setkeeper (store version ${found}; this one knows ${known}). It is left as it is: start the newer program, or put back the copy that it made.`,
  );
}

function versionInHeader(path: string): number {
  const header = Buffer.alloc(USER_VERSION_OFFSET + 4);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return 0; // No file: nothing was written by anybody.
  }
  try {
    const length = readSync(file, header, 0, header.length, 0);
    return length === header.length && header.toString('latin1', 0, 15) === 'SQLite format 3'
      ? header.readUInt32BE(USER_VERSION_OFFSET)
      : 0;
  } finally {
    closeSync(file);
  }
}
