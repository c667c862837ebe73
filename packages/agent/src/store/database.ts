import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { asStoreFault } from './store-fault.ts';

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
  /** All or nothing. A transaction inside another joins it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export interface DatabaseOptions {
  /** FULL: durable when a transaction returns. NORMAL: survives the death of the process, may lose the last moments before a power cut. */
  readonly synchronous: 'FULL' | 'NORMAL';
}

/** Named limits: how long another program's lock is waited for, and how large the log beside the file may stay. */
const LOCK_WAIT_MS = 2_000;
const JOURNAL_BYTES_MAX = 16 * 1024 * 1024;

/** Opens (or makes) a file in WAL mode. The file's own mode is the caller's business. */
export function openDatabase(path: string, options: DatabaseOptions): Database {
  const sqlite = guard(path, () => {
    const opened = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
    try {
      opened.exec(`
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = ${options.synchronous};
        PRAGMA journal_size_limit = ${JOURNAL_BYTES_MAX};
        PRAGMA trusted_schema = OFF;
      `);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  });
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
    close: () => sqlite.close(),
  };
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreFault(error, path);
  }
}
