import type { Database } from './database.ts';
import { number, numberOrNull } from './row.ts';

/** What the history may keep (`history:` of agent.yaml). */
export interface HistoryLimits {
  readonly runs: number;
  readonly days: number;
  readonly maxMiB: number;
}

/** Rows removed a call, so that a call takes some milliseconds. */
const RUNS_A_CALL = 50;
const ROWS_A_CALL = 1_000;
const PAGES_A_CALL = 500;
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/**
 * Cuts the oldest of the history a little: what is over `runs`, older than `days`, or what makes the file larger than
 * `maxMiB`. The newest row of each object stays, whatever its age: `since` is derived from it. Running runs stay.
 * True if more is to be cut.
 */
export function cutHistory(database: Database, limits: HistoryLimits, now: number): boolean {
  const oldest = now - limits.days * DAY_MS;
  const removed = database.transaction(() => {
    const surplus = Math.max(0, count(database, 'run') - limits.runs);
    const isTooLarge = usedBytes(database) > limits.maxMiB * MIB;
    return (
      cutRuns(database, oldest, isTooLarge ? RUNS_A_CALL : Math.min(surplus, RUNS_A_CALL)) +
      cutRows(database, 'change', oldest, isTooLarge) +
      cutRows(database, 'drift', oldest, isTooLarge) +
      cutSupersededObjects(database, oldest, isTooLarge)
    );
  });
  database.exec(`PRAGMA incremental_vacuum(${PAGES_A_CALL})`);
  return removed > 0;
}

function cutRuns(database: Database, oldest: number, surplus: number): number {
  const runs = database.all(
    `SELECT seq FROM run WHERE phase <> 'running' AND (at < ? OR seq IN (SELECT seq FROM run ORDER BY seq LIMIT ?)) ORDER BY seq LIMIT ?`,
    oldest,
    surplus,
    RUNS_A_CALL,
  );
  for (const row of runs) {
    const seq = number(row, 'seq');
    database.run('DELETE FROM run_script WHERE run = ?', seq);
    database.run('DELETE FROM run_exception WHERE run = ?', seq);
    database.run('DELETE FROM run_set WHERE run = ?', seq);
    database.run('DELETE FROM run WHERE seq = ?', seq);
  }
  return runs.length;
}

function cutRows(database: Database, table: 'change' | 'drift', oldest: number, isTooLarge: boolean): number {
  const { changes } = database.run(
    `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} ORDER BY seq LIMIT ?) AND (at < ? OR ?)`,
    ROWS_A_CALL,
    oldest,
    isTooLarge ? 1 : 0,
  );
  return changes;
}

function cutSupersededObjects(database: Database, oldest: number, isTooLarge: boolean): number {
  const from = numberOrNull(database.get('SELECT min(seq) AS seq FROM object_change') ?? {}, 'seq');
  if (from === null) return 0;
  const { changes } = database.run(
    `DELETE FROM object_change WHERE seq IN (
       SELECT old.seq FROM object_change AS old WHERE (old.at < ? OR ?)
         AND EXISTS (SELECT 1 FROM object_change AS new WHERE new.key = old.key AND new.seq > old.seq)
       ORDER BY old.seq LIMIT ?)`,
    oldest,
    isTooLarge ? 1 : 0,
    ROWS_A_CALL,
  );
  return changes;
}

const count = (database: Database, table: 'run'): number =>
  number(database.get(`SELECT count(*) AS n FROM ${table}`) ?? {}, 'n');

function usedBytes(database: Database): number {
  const pages = number(database.get('PRAGMA page_count') ?? {}, 'page_count');
  const free = number(database.get('PRAGMA freelist_count') ?? {}, 'freelist_count');
  const size = number(database.get('PRAGMA page_size') ?? {}, 'page_size');
  return (pages - free) * size;
}
