'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Hold, Override } from '../../client/api-types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useListState } from '../../ui/table/use-list-state.ts';
import { useQueryRows } from '../../ui/table/use-query-rows.ts';

/** The list of what is in force for a time: holds, or overrides. */
export function ExceptionList<Row extends Hold | Override>({
  many,
  query,
  columns,
  nameOf,
  empty,
}: {
  readonly many: 'holds' | 'overrides';
  readonly query: UseQueryResult<readonly Row[], unknown>;
  readonly columns: readonly Column<Row>[];
  readonly nameOf: (row: Row) => string;
  /** The two sentences that stand where nothing is in force. */
  readonly empty: { readonly title: string; readonly means: string };
}): ReactNode {
  const { filter, setFilter } = useListState({ by: 'until', isDescending: false });
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return query.data?.filter((row) => `${nameOf(row)} ${row.by} ${row.reason}`.toLowerCase().includes(wanted));
  }, [query.data, filter, nameOf]);
  const rows = useQueryRows(query, shown, filter);
  return (
    <ListFrame
      label={many === 'holds' ? 'Holds' : 'Overrides'}
      one={many.slice(0, -1)}
      many={many}
      noun={many}
      storageKey={many}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      rowName={nameOf}
      isTall
      isFiltered={filter !== ''}
      onClearFilters={() => setFilter('')}
      allRows={async () => shown ?? []}
      filters={<SearchBox isMain label={`Filter ${many}`} value={filter} onChange={setFilter} />}
      empty={<EmptyState title={empty.title}>{empty.means}</EmptyState>}
    />
  );
}
