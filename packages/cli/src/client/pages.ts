/** One page of a list, as every list verb answers. */
export interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
}

/** Rows a page; the API allows 1,000. */
const pageLimit = 1000;

/** Every page of a list, by its cursors, until `limit` rows have come. */
export async function* pages<Row>(
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Row>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  let left = limit;
  do {
    const page = await fetchPage({ limit: Math.min(pageLimit, left), ...(cursor === undefined ? {} : { cursor }) });
    left -= page.items.length;
    yield page.items;
    if (page.nextCursor === cursor) return;
    cursor = page.nextCursor;
  } while (cursor !== undefined && left > 0);
}

/** Every row of a list. */
export async function everyRow<Row>(
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Row>>,
  limit?: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages(fetchPage, limit)) for (const row of page) rows.push(row);
  return rows;
}
