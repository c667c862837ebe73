import type { Sink, World } from '../world.ts';
import { harmless, harmlessLines } from './harmless.ts';
import { jsonText } from './json-text.ts';
import { type Column, tableText } from './table.ts';
import { type Tone, toned } from './tone.ts';

/** Where a command's answer goes: data to stdout, talk to stderr, and nothing to a terminal that could act on it. */
export interface Output {
  readonly isJson: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** One JSON value. */
  json(value: unknown): Promise<void>;
  /** One JSON array, an element a line, without holding it whole. */
  jsonArray(pages: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** One JSON value on one line. */
  jsonLine(value: unknown): Promise<void>;
  /** A line of data. */
  line(text: string, tone?: Tone): Promise<void>;
  /** Lines of fields with tabs between them, for cut and awk. */
  fields(rows: readonly (readonly string[])[]): Promise<void>;
  /** Many lines of data. */
  lines(texts: readonly string[]): Promise<void>;
  /** An aligned table; on a terminal no line is longer than that is wide. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void>;
  /** Facts as aligned `name  value` lines. */
  facts(facts: readonly (readonly [name: string, value: string, tone?: Tone])[]): Promise<void>;
  /** Text that another tool will read: exact, but shown with escapes on a terminal. */
  artifact(text: string): Promise<void>;
  /** A line of talk. */
  say(text: string, tone?: Tone): Promise<void>;
}

/** Makes the output of a command. Colours only on a terminal, and never with NO_COLOR. */
export function createOutput(world: World, isJson: boolean): Output {
  const mayColour = (sink: Sink): boolean => sink.isTTY && !world.env.NO_COLOR && world.env.TERM !== 'dumb';
  const { stdout, stderr } = world;
  const put = (text: string): Promise<void> => stdout.write(text);
  return {
    isJson,
    now: () => world.now(),
    json: (value) => put(`${jsonText(value, 2)}\n`),
    jsonLine: (value) => put(`${jsonText(value)}\n`),
    async jsonArray(pages) {
      let isFirst = true;
      for await (const page of pages) {
        if (page.length === 0) continue;
        const text = page.map((row) => `  ${jsonText(row)}`).join(',\n');
        await put(isFirst ? `[\n${text}` : `,\n${text}`);
        isFirst = false;
      }
      await put(isFirst ? '[]\n' : '\n]\n');
    },
    line: (text, tone = 'plain') => put(`${toned(harmless(text), tone, mayColour(stdout))}\n`),
    fields: async (rows) => {
      if (rows.length > 0) await put(`${rows.map((row) => row.map(harmless).join('\t')).join('\n')}\n`);
    },
    lines: async (texts) => {
      if (texts.length > 0) await put(`${texts.map(harmless).join('\n')}\n`);
    },
    table: async (columns, rows) => {
      if (rows.length > 0)
        await put(
          tableText(columns, rows, { coloured: mayColour(stdout), widthMax: stdout.isTTY ? stdout.columns : null }),
        );
    },
    facts: async (facts) => {
      const width = Math.max(0, ...facts.map(([name]) => name.length));
      for (const [name, value, tone] of facts)
        await put(
          `${toned(name.padEnd(width), 'dim', mayColour(stdout))}  ${toned(harmless(value), tone ?? 'plain', mayColour(stdout))}\n`,
        );
    },
    artifact: (text) => put(stdout.isTTY ? harmlessLines(text) : text),
    say: (text, tone = 'plain') => stderr.write(`${toned(harmless(text), tone, mayColour(stderr))}\n`),
  };
}

export type { Column };
