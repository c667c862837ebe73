import type { Database } from './database.ts';
import { number } from './row.ts';

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

/** Keeps the history within its limits, a little a call. */
export interface HistoryCutter {
  /**
   * Cuts the oldest: what is over `runs`, older than `days`, or what makes the file larger than `maxMiB`. The newest row
   * of each object stays, whatever its age: `since` is derived from it. Running runs stay. True if more is to be cut.
   * `aged`: the time by which ages are counted (AgeClock). Both are milliseconds since 1970.
   */
  cut(now: number, aged: number): boolean;
}

export function createHistoryCutter(database: Database, limits: HistoryLimits): HistoryCutter {
  const objects = createObjectCutter(database);
  return {
    cut: (now, aged) => {
      const oldest = aged - limits.days * DAY_MS;
      const isTooLarge = usedBytes(database) > limits.maxMiB * MIB;
      const isMore = database.transaction(() => {
        const surplus = Math.max(0, countRuns(database) - limits.runs);
        const removed =
          cutRuns(database, oldest, isTooLarge ? RUNS_A_CALL : Math.min(surplus, RUNS_A_CALL)) +
          cutRows(database, 'change', oldest, isTooLarge) +
          cutRows(database, 'drift', oldest, isTooLarge);
        return objects.cut(isTooLarge ? now : oldest, now) || removed > 0;
      });
      database.exec(`PRAGMA incremental_vacuum(${PAGES_A_CALL})`);
      return isMore;
    },
  };
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

/** How often the rows that were found to be the newest of their object are looked at again. */
const AGAIN_MS = DAY_MS;

/** Cuts object rows that a newer one follows. It walks the table once a day: rows that stay must not be looked at again each time. */
function createObjectCutter(database: Database): { cut(before: number, now: number): boolean } {
  let examined = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  return {
    cut: (before, now) => {
      if (now - beganAt >= AGAIN_MS) {
        examined = 0;
        beganAt = now;
      }
      // Rows come in the order of time, so the first that is young enough ends the walk.
      const next = database.get('SELECT at FROM object_change WHERE seq > ? ORDER BY seq LIMIT 1', examined);
      if (next === undefined || number(next, 'at') >= before) return false;
      const rows = database.all(
        `SELECT old.seq AS seq, old.at AS at,
           EXISTS (SELECT 1 FROM object_change AS new WHERE new.key = old.key AND new.seq > old.seq) AS superseded
         FROM object_change AS old WHERE old.seq > ? ORDER BY old.seq LIMIT ?`,
        examined,
        ROWS_A_CALL,
      );
      for (const row of rows) {
        if (number(row, 'at') >= before) return false;
        examined = number(row, 'seq');
        if (row.superseded === 1) database.run('DELETE FROM object_change WHERE seq = ?', examined);
      }
      return rows.length === ROWS_A_CALL;
    },
  };
}

const countRuns = (database: Database): number => number(database.get('SELECT count(*) AS n FROM run') ?? {}, 'n');

function usedBytes(database: Database): number {
  const pages = number(database.get('PRAGMA page_count') ?? {}, 'page_count');
  const free = number(database.get('PRAGMA freelist_count') ?? {}, 'freelist_count');
  const size = number(database.get('PRAGMA page_size') ?? {}, 'page_size');
  return (pages - free) * size;
}
