import { displayWidth } from './display-width.ts';
import { harmless } from './harmless.ts';
import { type Tone, toned } from './tone.ts';

/** What a table shows in one place: text, and a tone for it. */
export type Cell = string | number | null | undefined | readonly [text: string, tone: Tone];

/** One column: its head, what it shows of a row, and to which side it leans (numbers: right). */
export interface Column<Row> {
  readonly head: string;
  readonly align?: 'left' | 'right';
  readonly cell: (row: Row) => Cell;
}

/**
 * Rows as an aligned table without borders, so that it reads well and cuts well; hostile text is shown as escapes.
 * Cost: O(rows), because a table here may have a hundred thousand.
 */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], coloured: boolean): string {
  const heads = columns.map((column) => column.head.toUpperCase());
  const widths = heads.map(displayWidth);
  const texts = rows.map((row) =>
    columns.map((column, index) => {
      const cell = column.cell(row);
      const text = cellText(cell);
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(text));
      return { text, tone: Array.isArray(cell) ? (cell[1] as Tone) : 'plain' };
    }),
  );
  const line = (cells: readonly { readonly text: string; readonly tone: Tone }[]): string =>
    cells
      .map(({ text, tone }, index) => {
        const blank = ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(text)));
        const shown = toned(text, tone, coloured);
        return columns[index]?.align === 'right' ? blank + shown : shown + blank;
      })
      .join('  ')
      .trimEnd();
  const lines = [line(heads.map((text) => ({ text, tone: 'dim' as const }))), ...texts.map(line)];
  return `${lines.join('\n')}\n`;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  if (typeof cell === 'number') return String(cell);
  return harmless(typeof cell === 'string' ? cell : cell[0]);
}
