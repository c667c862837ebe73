/** Where a page of rows that are newest first begins: below a sequence number, or after a count of rows where another order was asked for. */
export type PageStart =
  | { readonly kind: 'below'; readonly seq: number }
  | { readonly kind: 'after'; readonly rows: number };

/** Reads a cursor of ours; text that is none of ours starts at the first page. */
export function parseCursor(cursor: string | undefined): PageStart | null {
  const found = /^([ba])(\d{1,15})$/u.exec(cursor ?? '');
  if (found === null) return null;
  const value = Number(found[2]);
  return found[1] === 'b' ? { kind: 'below', seq: value } : { kind: 'after', rows: value };
}

export const cursorBelow = (seq: number): string => `b${seq}`;
export const cursorAfter = (rows: number): string => `a${rows}`;

/** A pattern for `LIKE ... ESCAPE '\'` that finds text anywhere, as it stands. */
export const likeAnywhere = (words: string): string => `%${words.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
