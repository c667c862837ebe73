import Table from 'cli-table3';
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

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Rows as an aligned table without borders, so that it reads well and cuts well; hostile text is shown as escapes. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], coloured: boolean): string {
  const table = new Table({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map((column) => toned(column.head.toUpperCase(), 'dim', coloured)),
    colAligns: columns.map((column) => column.align ?? 'left'),
  });
  for (const row of rows) table.push(columns.map((column) => cellText(column.cell(row), coloured)));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function cellText(cell: Cell, coloured: boolean): string {
  if (cell === null || cell === undefined) return '-';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'string') return harmless(cell);
  return toned(harmless(cell[0]), cell[1], coloured);
}
