import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { accountMigrations } from './account-migrations.ts';

/** Runs `work` in one transaction: whole or not at all. It must not wait for anything, so that nobody else's statement falls into it. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/**
 * Opens the store of accounts, made if it is not there, and brings it up to date; before a migration a copy is kept
 * beside it. Throws with a sentence for a store of a newer version, or one that is damaged: nobody can sign in then, which
 * is safer than to begin anew.
 */
export function openAccountStore(file: string): DatabaseSync {
  const isFile = file !== ':memory:';
  if (isFile) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    if (isFile) chmodSync(file, 0o600);
    migrate(database, file);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof NewerStore) throw error;
    throw new Error(
      `the store ${file} cannot be used: ${error instanceof Error ? error.message : 'unknown'}. Restore it from a copy, or move it away to begin with no users.`,
      { cause: error },
    );
  }
}

class NewerStore extends Error {}

function migrate(database: DatabaseSync, file: string): void {
  const version = Number(Object.values(database.prepare('pragma user_version').get() ?? {})[0]);
  if (version > accountMigrations.length)
    throw new NewerStore(
      `the store ${file} is of version ${version}, and this program knows versions up to ${accountMigrations.length}: it was used by a newer Setkeeper. It was left alone.`,
    );
  if (version > 0 && version < accountMigrations.length) {
    const copy = `${file}.before-${version + 1}`;
    if (!existsSync(copy)) database.prepare('vacuum into ?').run(copy);
  }
  for (const [index, migration] of accountMigrations.entries()) {
    if (index < version) continue;
    inTransaction(database, () => {
      database.exec(migration);
      database.exec(`pragma user_version = ${index + 1}`);
    });
  }
}
