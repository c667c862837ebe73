import { cutToWidth, displayWidth } from './display-width.ts';
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

/** How a table is shown. */
export interface TableStyle {
  readonly coloured: boolean;
  /** Columns of the terminal: the widest texts are cut so that no line is longer. Null: nothing is cut. */
  readonly widthMax: number | null;
}

/** Between two columns. */
const GAP = '  ';
/** No column of text is made narrower than this. */
const TEXT_WIDTH_MIN = 8;

/**
 * Rows as an aligned table without borders, so that it reads well and cuts well; hostile text is shown as escapes.
 * Cost: O(rows), because a table here may have a hundred thousand.
 */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: TableStyle): string {
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
  if (style.widthMax !== null) narrow(widths, columns, style.widthMax);
  const line = (cells: readonly { readonly text: string; readonly tone: Tone }[]): string =>
    cells
      .map(({ text, tone }, index) => {
        const width = widths[index] ?? 0;
        const fitting = style.widthMax === null ? text : cutToWidth(text, width);
        const blank = ' '.repeat(Math.max(0, width - displayWidth(fitting)));
        const shown = toned(fitting, tone, style.coloured);
        return columns[index]?.align === 'right' ? blank + shown : shown + blank;
      })
      .join(GAP)
      .trimEnd();
  const lines = [line(heads.map((text) => ({ text, tone: 'dim' as const }))), ...texts.map(line)];
  return `${lines.join('\n')}\n`;
}

/** Takes from the widest column of text, again and again, until a line fits or nothing is left to take. Numbers stay whole. */
function narrow(widths: number[], columns: readonly Column<never>[], widthMax: number): void {
  const gaps = GAP.length * (widths.length - 1);
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, gaps) - widthMax;
    if (excess <= 0) return;
    const texts = [...widths.keys()].filter((index) => columns[index]?.align !== 'right');
    const [widest, next] = texts.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    const width = widest === undefined ? 0 : (widths[widest] ?? 0);
    if (widest === undefined || width <= TEXT_WIDTH_MIN) return;
    const second = next === undefined ? 0 : (widths[next] ?? 0);
    widths[widest] = Math.max(TEXT_WIDTH_MIN, width - excess, Math.min(second, width - 1));
  }
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  if (typeof cell === 'number') return String(cell);
  return harmless(typeof cell === 'string' ? cell : cell[0]);
}
