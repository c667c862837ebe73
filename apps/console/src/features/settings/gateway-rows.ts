/** Reads the rows of a gateway list; a row without an id is left out. */
export function rowsOf(body: unknown): readonly Row[] {
  if (!Array.isArray(body)) return [];
  return body.flatMap((value: unknown) => {
    if (typeof value !== 'object' || value === null) return [];
    const fields = value as Readonly<Record<string, unknown>>;
    const id = fields.id;
    return typeof id === 'string' || typeof id === 'number' ? [{ id: String(id), fields }] : [];
  });
}

/** One row of a gateway list. */
export interface Row {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A text field of a row; null where it is absent. */
export function text(row: Row, name: string): string | null {
  const value = row.fields[name];
  return typeof value === 'string' ? value : null;
}
