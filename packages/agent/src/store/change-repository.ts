import type { SQLInputValue } from 'node:sqlite';
import type { Change } from '@setkeeper/api';
import type { ObjectKey } from '../model/objects.ts';
import type { Database, Row } from './database.ts';
import type { HistoryWriter } from './history-writer.ts';
import { cursorBelow, likeAnywhere, parseCursor } from './page-cursor.ts';
import { number, numberOrNull, text, textOrNull } from './row.ts';
import type { ChangeRepository, ObjectHistory } from './store.ts';

/** Rows written by one queued write. */
const ROWS_A_WRITE = 250;
/** Rows that a search for a word looks through: some tens of milliseconds. */
const SEARCHED_ROWS = 100_000;
/** Kept of an object's text a row, in characters: whoever appends rows keeps them shorter than that. */
const TEXT_CHARACTERS_MAX = 64_000;

/** The time line and the objects' history on the history database. */
export function createChangeRepository(database: Database, writer: HistoryWriter): ChangeRepository {
  return {
    append: (change) =>
      writer.write((history) => {
        history.run(
          'INSERT INTO change (at, kind, text, change) VALUES (?, ?, ?, ?)',
          Date.parse(change.at),
          change.kind,
          [change.actor, change.subject, change.text, change.run, ...change.groups].join(' '),
          JSON.stringify(change),
        );
      }),

    list: (filter) => {
      writer.flush();
      const where: string[] = ['1'];
      const values: SQLInputValue[] = [];
      if (filter.kind !== undefined) {
        where.push('kind = ?');
        values.push(filter.kind);
      }
      if (filter.since !== undefined) {
        where.push('at >= ?');
        values.push(Date.parse(filter.since));
      }
      if (filter.text !== undefined && filter.text !== '') {
        where.push(String.raw`text LIKE ? ESCAPE '\'`);
        values.push(likeAnywhere(filter.text));
      }
      const condition = where.join(' AND ');
      const start = parseCursor(filter.before);
      const rows = database.all(
        `SELECT seq, change FROM change WHERE ${condition} AND seq < ? ORDER BY seq DESC LIMIT ?`,
        ...values,
        start?.kind === 'below' ? start.seq : Number.MAX_SAFE_INTEGER,
        filter.limit + 1,
      );
      const page = rows.slice(0, filter.limit);
      const last = page.at(-1);
      return {
        items: page.map(changeOf),
        total: number(database.get(`SELECT count(*) AS n FROM change WHERE ${condition}`, ...values) ?? {}, 'n'),
        ...(rows.length > filter.limit && last !== undefined ? { nextCursor: cursorBelow(number(last, 'seq')) } : {}),
      };
    },

    objectChanges: (key, limit) => {
      writer.flush();
      return database
        .all('SELECT * FROM object_change WHERE key = ? ORDER BY seq DESC LIMIT ?', key, limit)
        .map(objectHistoryOf);
    },

    objectsNaming: (word, limit) => {
      writer.flush();
      return database
        .all(
          String.raw`SELECT key, max(seq) AS newest FROM object_change
           WHERE seq > (SELECT coalesce(max(seq), 0) FROM object_change) - ? AND text LIKE ? ESCAPE '\'
           GROUP BY key ORDER BY newest DESC LIMIT ?`,
          SEARCHED_ROWS,
          likeAnywhere(word),
          limit,
        )
        .map((row) => text(row, 'key') as ObjectKey);
    },

    room: () => writer.room(),

    appendObjects: (rows) => {
      for (let start = 0; start < rows.length; start += ROWS_A_WRITE) {
        const chunk = rows.slice(start, start + ROWS_A_WRITE);
        writer.write((history) => {
          for (const row of chunk)
            history.run(
              'INSERT INTO object_change (at, key, kind, source, file, line, revision, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
              Date.parse(row.at),
              row.key,
              row.kind,
              row.source,
              row.file ?? null,
              row.line ?? null,
              row.commit ?? null,
              row.text?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
            );
        });
      }
    },
  };
}

/** What was stored was a Change without its id, so the store's own JSON is trusted. */
const changeOf = (row: Row): Change => ({
  ...(JSON.parse(text(row, 'change')) as Omit<Change, 'id'>),
  id: String(number(row, 'seq')),
});

function objectHistoryOf(row: Row): ObjectHistory {
  const file = textOrNull(row, 'file');
  const line = numberOrNull(row, 'line');
  const commit = textOrNull(row, 'revision');
  return {
    id: String(number(row, 'seq')),
    at: new Date(number(row, 'at')).toISOString(),
    key: text(row, 'key') as ObjectKey,
    kind: text(row, 'kind') as ObjectHistory['kind'],
    source: text(row, 'source'),
    text: textOrNull(row, 'text'),
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(commit === null ? {} : { commit }),
  };
}
