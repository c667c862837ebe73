/** One page of rows held in memory; the cursor is the place in the list. */
export function pageOf<Row>(
  rows: readonly Row[],
  page: { readonly cursor?: string | undefined; readonly limit: number },
): { items: Row[]; total: number; nextCursor?: string; at: string } {
  return pageBy(rows.length, (index) => rows[index], page);
}

/** One page of rows that are made on demand, so that a hundred thousand cost nothing. */
export function pageBy<Row>(
  total: number,
  rowAt: (index: number) => Row | undefined,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): { items: Row[]; total: number; nextCursor?: string; at: string } {
  const from = page.cursor === undefined ? 0 : Number(page.cursor);
  const to = Math.min(total, from + page.limit);
  const items: Row[] = [];
  for (let index = from; index < to; index += 1) {
    const row = rowAt(index);
    if (row !== undefined) items.push(row);
  }
  return { items, total, at: new Date().toISOString(), ...(to < total ? { nextCursor: String(to) } : {}) };
}

/** Rows whose text holds every word of a filter. */
export function matching<Row>(
  rows: readonly Row[],
  filter: string | undefined,
  textOf: (row: Row) => string,
): readonly Row[] {
  if (filter === undefined || filter.trim() === '') return rows;
  const words = filter.toLowerCase().split(/\s+/u);
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word.replace(/^\w+:(?=.)/u, '')));
  });
}
