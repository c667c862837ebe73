import { open } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { asStoreFault, isOutOfRoom } from './store-fault.ts';

/** A row as SQLite gives it; repositories parse it into domain types. */
export type Row = Readonly<Record<string, unknown>>;

/** One open SQLite file. Every call is synchronous; every fault of SQLite is thrown as a StoreFault. */
export interface Database {
  readonly path: string;
  /** Runs one statement; prepared once and kept. */
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number; readonly lastRowId: number };
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void;
  /** All or nothing. A transaction inside another joins it. It survives the death of the process, and a power cut after `flush`. */
  transaction<T>(work: () => T): T;
  /** Resolves when everything that was committed before is on the disk. Blocks nobody; those who ask at once share one wait. */
  flush(): Promise<void>;
  close(): void;
}

/** Named limits: how long another program's lock is waited for, and how large the log beside the file may stay. */
const LOCK_WAIT_MS = 2_000;
const JOURNAL_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Opens (or makes) a file in WAL mode. The file's own mode is the caller's business, and so are checkpoints while it is
 * open. No commit waits for the disk (synchronous NORMAL): commits reach it in their order, so that a power cut takes the
 * last of them and never one from between (sqlite.org/pragma.html), and what was answered for was flushed before.
 */
export function openDatabase(path: string): Database {
  const sqlite = guard(path, () => openSqlite(path));
  const statements = new Map<string, StatementSync>();
  let depth = 0;

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  const transaction = <T>(work: () => T): T => {
    if (depth > 0) return work();
    guard(path, () => sqlite.exec('BEGIN IMMEDIATE'));
    depth = 1;
    try {
      const result = work();
      guard(path, () => sqlite.exec('COMMIT'));
      return result;
    } catch (error) {
      // After some faults (no room) SQLite has rolled back by itself; then there is nothing to roll back.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      throw error;
    } finally {
      depth = 0;
    }
  };

  return {
    path,
    run: (sql, ...values) =>
      guard(path, () => {
        const { changes, lastInsertRowid } = prepared(sql).run(...values);
        return { changes: Number(changes), lastRowId: Number(lastInsertRowid) };
      }),
    get: (sql, ...values) => guard(path, () => prepared(sql).get(...values)),
    all: (sql, ...values) => guard(path, () => prepared(sql).all(...values)),
    exec: (sql) => guard(path, () => sqlite.exec(sql)),
    transaction,
    flush: createFlush(path),
    close: () => sqlite.close(),
  };
}

/** One wait for the disk at a time: whoever asks while one is under way shares the next, which begins after it. */
function createFlush(path: string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return syncLog(path);
      });
    running = next;
    return next;
  };
}

async function syncLog(path: string): Promise<void> {
  try {
    const log = await open(`${path}-wal`, 'r');
    await log.datasync().finally(() => log.close());
  } catch (error) {
    throw asStoreFault(error, path);
  }
}

/**
 * WAL keeps an index beside the file that has to be made before anything can be read, which a full disk refuses. Then the
 * file is opened for this process alone: that way the index is in memory, and what was stored can at least be read.
 */
function openSqlite(path: string): DatabaseSync {
  try {
    return openSqliteIn('NORMAL', path);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    return openSqliteIn('EXCLUSIVE', path);
  }
}

function openSqliteIn(lockingMode: 'NORMAL' | 'EXCLUSIVE', path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
  try {
    sqlite.exec(`
      PRAGMA locking_mode = ${lockingMode};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = ${JOURNAL_BYTES_MAX};
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA trusted_schema = OFF;
    `);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreFault(error, path);
  }
}
