import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { Database } from './database.ts';
import type { HistoryWriter } from './history-writer.ts';
import { bytes, number, text } from './row.ts';

/** Keeps the scripts of runs, compressed, in parts that can be read one at a time. */
export interface ScriptArchive {
  /** Stores a script in the background. Rendering and compression take a few milliseconds at a time. */
  store(run: string, script: Iterable<string>): void;
  /** The stored lines from `firstLine` (1-based), at most `count`. Fewer when the script is not stored so far. Cost: the parts touched. */
  lines(run: string, firstLine: number, count: number): readonly string[];
  /** All stored lines, a part at a time. */
  all(run: string): Iterable<string>;
  /** Resolves when nothing is being stored. */
  idle(): Promise<void>;
}

/** Lines a part: some 150 kB of text, a few milliseconds to make or to read. */
const PART_LINES = 5_000;
/** Below this many characters a part is stored as it is. */
const PLAIN_CHARACTERS_MAX = 512;
const compress = promisify(deflateRaw);

const RUN = '(SELECT seq FROM run WHERE id = ?)';

export function createScriptArchive(database: Database, writer: HistoryWriter): ScriptArchive {
  let work: Promise<void> = Promise.resolve();

  const storeParts = async (run: string, script: Iterable<string>): Promise<void> => {
    await turn();
    let firstLine = 1;
    for (const part of inParts(script)) {
      if (writer.isPaused) return;
      const joined = part.join('\n');
      const isPlain = joined.length <= PLAIN_CHARACTERS_MAX;
      const data = isPlain ? Buffer.from(joined) : await compress(joined, { level: 1 });
      const first = firstLine;
      writer.write((history) => {
        history.run(
          `INSERT OR REPLACE INTO run_script (run, first_line, lines, codec, data) SELECT seq, ?, ?, ?, ? FROM run WHERE id = ?`,
          first,
          part.length,
          isPlain ? 'plain' : 'deflate',
          data,
          run,
        );
        history.run('UPDATE run SET bytes = bytes + ? WHERE id = ?', data.length, run);
      });
      firstLine += part.length;
      if (part.length === PART_LINES) await turn();
    }
  };

  const partOf = (codec: string, data: Uint8Array): readonly string[] =>
    (codec === 'plain' ? Buffer.from(data) : inflateRawSync(data)).toString().split('\n');

  return {
    store: (run, script) => {
      // One at a time: a burst of runs costs memory for its plans, never for its texts.
      work = work.then(() => storeParts(run, script));
    },
    lines: (run, firstLine, count) => {
      writer.flush();
      const rows = database.all(
        `SELECT first_line, codec, data FROM run_script WHERE run = ${RUN} AND first_line + lines > ? AND first_line < ? ORDER BY first_line`,
        run,
        firstLine,
        firstLine + count,
      );
      return rows.flatMap((row) => {
        const start = number(row, 'first_line');
        return partOf(text(row, 'codec'), bytes(row, 'data')).slice(
          Math.max(0, firstLine - start),
          Math.max(0, firstLine + count - start),
        );
      });
    },
    *all(run) {
      writer.flush();
      const parts = database.all(`SELECT first_line FROM run_script WHERE run = ${RUN} ORDER BY first_line`, run);
      for (const part of parts) {
        const row = database.get(
          `SELECT codec, data FROM run_script WHERE run = ${RUN} AND first_line = ?`,
          run,
          number(part, 'first_line'),
        );
        if (row !== undefined) yield* partOf(text(row, 'codec'), bytes(row, 'data'));
      }
    },
    idle: () => work,
  };
}

function* inParts(script: Iterable<string>): Iterable<readonly string[]> {
  let part: string[] = [];
  for (const line of script) {
    part.push(line);
    if (part.length === PART_LINES) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}
