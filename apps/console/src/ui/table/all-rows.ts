import type { CursorList } from './use-cursor-pages.ts';

const pageRowsMax = 1_000;

/**
 * Reads a whole list page by page: for exports and "all matching". `onProgress` is told how far it is; the signal
 * stops it. The rows are as they were when their page was read.
 */
export async function allRows<Input, Row>(
  list: CursorList<Input, Row>,
  options: { readonly signal: AbortSignal; readonly onProgress?: (done: number, total: number) => void },
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const input = list.inputFor(cursor === undefined ? { limit: pageRowsMax } : { limit: pageRowsMax, cursor });
    const page = await list.ask(input, { signal: options.signal });
    for (const row of page.items) rows.push(row);
    options.onProgress?.(rows.length, page.total);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}
