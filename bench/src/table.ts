import type { Row } from './goal.ts';

/** The rows as a table for people. Ratios of small sizes are not judged. */
export function table(rows: readonly Row[], isJudged: boolean): string {
  const head = ['goal', 'work', 'ours', 'floor', 'unit', 'ratio', 'wanted', 'reached', 'pairs', 'spread'];
  const body = rows.map((row) => [
    row.id,
    row.work,
    String(row.ours),
    String(row.floor),
    row.unit,
    String(row.ratio),
    row.goal,
    isJudged ? (row.reached ? 'yes' : 'no') : 'not judged',
    String(row.n),
    `${row.spread[0]} to ${row.spread[1]}`,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
