import type { Column } from './column.ts';

const startsFormula = /^[=+\-@\t\r]/u;

/**
 * One CSV cell (RFC 4180), safe to open in a spreadsheet: text that would start a formula gets an apostrophe in front.
 * Numbers stay numbers.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = startsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV with a header line, by the columns that have a plain value. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = columns.flatMap((column) =>
    column.plain === undefined ? [] : [{ header: column.header, plain: column.plain }],
  );
  const lines = [
    exported.map((column) => csvCell(column.header)).join(','),
    ...rows.map((row) => exported.map((column) => csvCell(column.plain(row))).join(',')),
  ];
  return `${lines.join('\r\n')}\r\n`;
}
