import type { Column } from '../../ui/table/column.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { type ObjectOrigin, OriginWords, originText } from './origin-words.tsx';

/** Where an object of the model stands. */
export const originColumn: Column<ObjectOrigin> = {
  id: 'source',
  header: 'From',
  width: 'minmax(9rem, 1fr)',
  cell: (row) => <OriginWords origin={row} />,
  narrow: 'line',
  plain: originText,
};

/** What its author wrote beside it. */
export const noteColumn: Column<{ readonly note?: string | undefined }> = {
  id: 'note',
  header: 'Note',
  width: 'minmax(8rem, 1fr)',
  cell: (row) => visibleText(row.note ?? ''),
  narrow: 'line',
  plain: (row) => row.note ?? null,
};
