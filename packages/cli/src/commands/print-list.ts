import type { PageOf } from '../client/pages.ts';
import { everyRow, pages } from '../client/pages.ts';
import type { Column, Output } from '../output/output.ts';

/** What a list command shows. `empty` is said where there is nothing to show. */
export interface List<Row> {
  readonly fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
  readonly limit?: number | undefined;
}

/** Prints a whole list: JSON page by page, a table once all is there, because its widths depend on every row. */
export async function printList<Row>(out: Output, list: List<Row>): Promise<void> {
  if (out.isJson) {
    await out.jsonArray(pages(list.fetchPage, list.limit));
    return;
  }
  const rows = await everyRow(list.fetchPage, list.limit);
  if (rows.length === 0) await out.say(list.empty);
  else await out.table(list.columns, rows);
}

/** Prints an answer that is one array. */
export async function printRows<Row>(
  out: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: string,
): Promise<void> {
  await printList(out, { fetchPage: async () => ({ items: rows, total: rows.length }), columns, empty });
}
