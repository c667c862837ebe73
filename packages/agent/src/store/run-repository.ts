import type { SQLInputValue } from 'node:sqlite';
import type { Run } from '@setkeeper/api';
import type { Database, Row } from './database.ts';
import { type ExceptionRange, fromRanges, toRanges } from './exception-ranges.ts';
import type { HistoryWriter } from './history-writer.ts';
import { cursorAfter, cursorBelow, likeAnywhere, parseCursor } from './page-cursor.ts';
import { number, text } from './row.ts';
import { createRunMemory } from './run-memory.ts';
import type { ScriptArchive } from './script-archive.ts';
import type { RunRepository, RunSection } from './store.ts';

/** A larger script is stored when its run has ended: rendering it a second time must not slow the run. */
const SCRIPT_LINES_WHILE_RUNNING_MAX = 20_000;
/** Rows written by one queued write. */
const ROWS_A_WRITE = 500;

const FAILED = "phase IN ('partly', 'failed', 'interrupted')";
const SORT_COLUMNS: Readonly<Record<string, string>> = { at: 'at', durationMs: 'duration', sets: 'sets' };

/** Runs on the history. Reads see every write, also those that wait and those that a paused history never took. */
export function createRunRepository(database: Database, writer: HistoryWriter, scripts: ScriptArchive): RunRepository {
  const memory = createRunMemory();
  const lateScripts = new Map<string, Iterable<string>>();

  const writeHead = (run: Run): void => {
    writer.write((history) => {
      history.run(
        `INSERT INTO run (id, at, phase, duration, sets, text, run) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, duration = excluded.duration, sets = excluded.sets,
           text = excluded.text, run = excluded.run`,
        run.id,
        Date.parse(run.at),
        run.phase,
        run.durationMs,
        run.sets,
        searchText(run),
        JSON.stringify(run),
      );
    });
  };

  return {
    begin: (run, script) => {
      memory.put(run);
      writeHead(run);
      for (const names of chunks(run.setNames ?? [])) writeSets(writer, run.id, names);
      if (run.lines <= SCRIPT_LINES_WHILE_RUNNING_MAX) scripts.store(run.id, script);
      else lateScripts.set(run.id, script);
    },

    update: (run) => {
      memory.put(run);
      writeHead(run);
    },

    finish: (run, exceptions, sections, readBack) => {
      const ranges = toRanges(exceptions);
      memory.put(run, { ranges, sections, readBack });
      for (const rows of chunks(ranges)) writeRanges(writer, run.id, rows);
      for (const rows of chunks(sections))
        writeSets(
          writer,
          run.id,
          rows.map(({ set }) => set),
        );
      const details = [JSON.stringify(sections), JSON.stringify([...readBack])] as const;
      const size = details[0].length + details[1].length + ranges.length * 100;
      writeHead(run);
      writer.write(
        (history) => {
          history.run(
            'UPDATE run SET sections = ?, read_back = ?, bytes = bytes + ? WHERE id = ?',
            ...details,
            size,
            run.id,
          );
        },
        () => memory.saved(run.id),
      );
      const script = lateScripts.get(run.id);
      if (script !== undefined) {
        lateScripts.delete(run.id);
        scripts.store(run.id, script);
      }
    },

    get: (id) => {
      const remembered = memory.get(id);
      if (remembered !== undefined) return remembered.run;
      writer.flush();
      const row = database.get('SELECT run FROM run WHERE id = ?', id);
      return row === undefined ? null : runOf(row);
    },

    script: (id) => scripts.all(id),
    scriptLines: (id, firstLine, count) => scripts.lines(id, firstLine, count),

    exceptions: (id) => fromRanges(rangesOf(id)),
    exceptionRanges: (id) => rangesOf(id),

    sections: (id) => {
      const remembered = memory.get(id)?.details;
      if (remembered !== undefined) return remembered.sections;
      writer.flush();
      const row = database.get('SELECT sections FROM run WHERE id = ?', id);
      return row === undefined ? [] : (JSON.parse(text(row, 'sections')) as readonly RunSection[]);
    },

    readBack: (id) => {
      const remembered = memory.get(id)?.details;
      if (remembered !== undefined) return remembered.readBack;
      writer.flush();
      const row = database.get('SELECT read_back FROM run WHERE id = ?', id);
      return new Map(row === undefined ? [] : (JSON.parse(text(row, 'read_back')) as [string, string][]));
    },

    list: (filter) => {
      writer.flush();
      const where: string[] = ['1'];
      const values: SQLInputValue[] = [];
      if (filter.failed === true) where.push(FAILED);
      if (filter.phase !== undefined) {
        where.push('phase = ?');
        values.push(filter.phase);
      }
      if (filter.set !== undefined) {
        where.push('seq IN (SELECT run FROM run_set WHERE name = ?)');
        values.push(filter.set);
      }
      if (filter.text !== undefined && filter.text !== '') {
        where.push(String.raw`text LIKE ? ESCAPE '\'`);
        values.push(likeAnywhere(filter.text));
      }
      const condition = where.join(' AND ');
      const total = number(database.get(`SELECT count(*) AS n FROM run WHERE ${condition}`, ...values) ?? {}, 'n');
      const column = SORT_COLUMNS[filter.sort?.by ?? ''];
      const page =
        column === undefined || (column === 'at' && filter.sort?.desc === true)
          ? newestFirst(database, condition, values, filter)
          : sorted(database, condition, values, {
              ...filter,
              order: `${column} ${filter.sort?.desc ? 'DESC' : 'ASC'}`,
            });
      const unsaved = parseCursor(filter.before) === null ? memory.unsaved(filter) : [];
      const known = new Set(page.items.map(({ id }) => id));
      const extra = unsaved.filter(
        ({ id }) => !known.has(id) && database.get('SELECT 1 FROM run WHERE id = ?', id) === undefined,
      );
      return { ...page, items: [...extra, ...page.items], total: total + extra.length };
    },

    endedSince: (since) => {
      writer.flush();
      return database
        .all(
          `SELECT at / 60000 AS minute, count(*) AS runs, sum(${FAILED}) AS failed FROM run
           WHERE at >= ? AND phase != 'running' GROUP BY minute ORDER BY minute`,
          since,
        )
        .map((row) => ({ minute: number(row, 'minute'), runs: number(row, 'runs'), failed: number(row, 'failed') }));
    },

    interruptRunning: () => {
      writer.flush();
      const rows = database.all("SELECT run FROM run WHERE phase = 'running'");
      for (const row of rows) {
        const run: Run = {
          ...runOf(row),
          phase: 'interrupted',
          error: {
            code: 'interrupted',
            message: 'The agent ended before this run did. Its sets were read back at the next start.',
          },
        };
        writeHead(run);
      }
      writer.flush();
      return rows.length;
    },
  };

  function rangesOf(id: string): readonly ExceptionRange[] {
    const remembered = memory.get(id)?.details;
    if (remembered !== undefined) return remembered.ranges;
    writer.flush();
    return database
      .all('SELECT * FROM run_exception WHERE run = (SELECT seq FROM run WHERE id = ?) ORDER BY first_line', id)
      .map(rangeOf);
  }
}

interface PageQuery {
  readonly before?: string;
  readonly limit: number;
}
type RunPage = { readonly items: readonly Run[]; readonly nextCursor?: string };

function newestFirst(
  database: Database,
  condition: string,
  values: readonly SQLInputValue[],
  query: PageQuery,
): RunPage {
  const start = parseCursor(query.before);
  const below = start?.kind === 'below' ? start.seq : Number.MAX_SAFE_INTEGER;
  const rows = database.all(
    `SELECT seq, run FROM run WHERE ${condition} AND seq < ? ORDER BY seq DESC LIMIT ?`,
    ...values,
    below,
    query.limit + 1,
  );
  const items = rows.slice(0, query.limit);
  const last = items.at(-1);
  return {
    items: items.map(runOf),
    ...(rows.length > query.limit && last !== undefined ? { nextCursor: cursorBelow(number(last, 'seq')) } : {}),
  };
}

function sorted(
  database: Database,
  condition: string,
  values: readonly SQLInputValue[],
  query: PageQuery & { readonly order: string },
): RunPage {
  const start = parseCursor(query.before);
  const skip = start?.kind === 'after' ? start.rows : 0;
  const rows = database.all(
    `SELECT run FROM run WHERE ${condition} ORDER BY ${query.order}, seq DESC LIMIT ? OFFSET ?`,
    ...values,
    query.limit + 1,
    skip,
  );
  return {
    items: rows.slice(0, query.limit).map(runOf),
    ...(rows.length > query.limit ? { nextCursor: cursorAfter(skip + query.limit) } : {}),
  };
}

function writeSets(writer: HistoryWriter, run: string, names: readonly string[]): void {
  writer.write((history) => {
    for (const name of names)
      history.run('INSERT OR IGNORE INTO run_set (name, run) SELECT ?, seq FROM run WHERE id = ?', name, run);
  });
}

function writeRanges(writer: HistoryWriter, run: string, ranges: readonly ExceptionRange[]): void {
  writer.write((history) => {
    for (const range of ranges)
      history.run(
        `INSERT OR REPLACE INTO run_exception (run, first_line, last_line, outcome, code, message, raw, because)
         SELECT seq, ?, ?, ?, ?, ?, ?, ? FROM run WHERE id = ?`,
        range.line,
        range.lastLine,
        range.outcome,
        range.code ?? null,
        range.message ?? null,
        range.raw ?? null,
        range.because ?? null,
        run,
      );
  });
}

/** What was stored was a Run, so the store's own JSON is trusted. */
const runOf = (row: Row): Run => JSON.parse(text(row, 'run')) as Run;

function rangeOf(row: Row): ExceptionRange {
  const { code, message, raw, because } = row;
  return {
    line: number(row, 'first_line'),
    lastLine: number(row, 'last_line'),
    outcome: text(row, 'outcome') as ExceptionRange['outcome'],
    ...(code === null ? {} : { code: code as NonNullable<ExceptionRange['code']> }),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof raw === 'string' ? { raw } : {}),
    ...(typeof because === 'number' ? { because } : {}),
  };
}

const searchText = (run: Run): string =>
  [
    run.id,
    run.cause,
    run.causeDetail,
    run.actor,
    run.reason,
    run.phase,
    run.error?.code,
    run.digest,
    ...(run.setNames ?? []).slice(0, 100),
  ]
    .filter((part) => part !== undefined)
    .join(' ');

function* chunks<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_A_WRITE) yield rows.slice(start, start + ROWS_A_WRITE);
}
