import type { DriftEntry } from '@setkeeper/api';
import type { Database, Row } from './database.ts';
import type { HistoryWriter } from './history-writer.ts';
import { cursorBelow, parseCursor } from './page-cursor.ts';
import { number, text } from './row.ts';
import type { DriftRepository } from './store.ts';

/** Drift on the history database. */
export function createDriftRepository(database: Database, writer: HistoryWriter): DriftRepository {
  return {
    append: (entry) =>
      writer.write((history) => {
        history.run(
          'INSERT OR REPLACE INTO drift (id, at, set_group, entry) VALUES (?, ?, ?, ?)',
          entry.id,
          Date.parse(entry.at),
          entry.group,
          JSON.stringify(entry),
        );
      }),

    repaired: (id, at, run) =>
      writer.write((history) => {
        history.run(
          "UPDATE drift SET entry = json_set(entry, '$.repairedAt', ?, '$.repairRun', ?) WHERE id = ?",
          at,
          run,
          id,
        );
      }),

    list: (filter) => {
      writer.flush();
      const [condition, values] = filter.group === undefined ? ['1', []] : ['set_group = ?', [filter.group]];
      const start = parseCursor(filter.before);
      const rows = database.all(
        `SELECT seq, entry FROM drift WHERE ${condition} AND seq < ? ORDER BY seq DESC LIMIT ?`,
        ...values,
        start?.kind === 'below' ? start.seq : Number.MAX_SAFE_INTEGER,
        filter.limit + 1,
      );
      const page = rows.slice(0, filter.limit);
      const last = page.at(-1);
      return {
        items: page.map(entryOf),
        total: number(database.get(`SELECT count(*) AS n FROM drift WHERE ${condition}`, ...values) ?? {}, 'n'),
        ...(rows.length > filter.limit && last !== undefined ? { nextCursor: cursorBelow(number(last, 'seq')) } : {}),
      };
    },
  };
}

/** What was stored was a DriftEntry, so the store's own JSON is trusted. */
const entryOf = (row: Row): DriftEntry => JSON.parse(text(row, 'entry')) as DriftEntry;
