/** One page of a list read by cursor: where it begins and how many rows it has. */
export interface PageMark {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly count: number;
}

/** The pages known so far. Pages are found one after the other: a cursor comes with the page before it. */
export interface PageMarks {
  readonly pages: readonly PageMark[];
  readonly total: number | undefined;
}

/** Before any answer: room for one page. */
export function noPages(limit: number): PageMarks {
  return { pages: [{ cursor: undefined, count: limit }], total: undefined };
}

/**
 * Notes what page `index` turned out to hold. Pages after it are forgotten when its next cursor changed: their rows
 * moved. Returns the same marks if nothing is new. Cost: O(pages).
 */
export function withPage(
  marks: PageMarks,
  index: number,
  page: {
    readonly count: number;
    readonly total: number;
    readonly nextCursor: string | undefined;
    readonly limit: number;
  },
): PageMarks {
  const known = marks.pages[index];
  if (known === undefined) return marks;
  const next = marks.pages[index + 1];
  const isSame = known.count === page.count && marks.total === page.total && next?.cursor === page.nextCursor;
  if (isSame) return marks;
  const upTo: PageMark[] = [...marks.pages.slice(0, index), { cursor: known.cursor, count: page.count }];
  if (page.nextCursor === undefined) return { pages: upTo, total: page.total };
  if (next?.cursor === page.nextCursor) {
    return { pages: [...upTo, ...marks.pages.slice(index + 1)], total: page.total };
  }
  const before = upTo.reduce((sum, mark) => sum + mark.count, 0);
  const room = Math.max(1, Math.min(page.limit, page.total - before));
  return { pages: [...upTo, { cursor: page.nextCursor, count: room }], total: page.total };
}

/** Which page holds a row and where that page begins; the last page for a row beyond all. Cost: O(pages). */
export function pageOfRow(marks: PageMarks, row: number): { readonly page: number; readonly start: number } {
  let start = 0;
  for (const [page, mark] of marks.pages.entries()) {
    if (row < start + mark.count || page === marks.pages.length - 1) return { page, start };
    start += mark.count;
  }
  return { page: 0, start: 0 };
}

/** Rows of all known pages together. */
export function rowsKnown(marks: PageMarks): number {
  return marks.pages.reduce((sum, mark) => sum + mark.count, 0);
}
