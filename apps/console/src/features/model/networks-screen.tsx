'use client';

import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { NetworkRow } from '../../client/api-types.ts';
import { count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { Quantity } from '../../words/pending.tsx';
import { OriginWords, originText } from './origin-words.tsx';
import { useModelList } from './use-model-list.ts';

const columns: readonly Column<NetworkRow>[] = [
  {
    id: 'id',
    header: 'Network',
    width: 'minmax(12rem, 1.5fr)',
    sort: 'id',
    cell: (row) => <GroupLink group={`net:${row.id}`} />,
    narrow: 'title',
    plain: (row) => row.id,
  },
  {
    id: 'nets',
    header: 'Nets',
    width: '6rem',
    sort: 'nets',
    isNumber: true,
    cell: (row) => count(row.nets),
    narrow: 'line',
    plain: (row) => row.nets,
  },
  {
    id: 'except',
    header: 'Exceptions',
    width: '6.5rem',
    isNumber: true,
    explains: 'Become nomatch in the kernel',
    cell: (row) => <Quantity value={row.except} />,
    narrow: 'line',
    plain: (row) => row.except,
  },
  {
    id: 'files',
    header: 'From files',
    width: 'minmax(12rem, 1.5fr)',
    cell: (row) =>
      row.files.length === 0 ? <span className="text-ink-3">–</span> : row.files.map(visibleText).join(', '),
    narrow: 'line',
    plain: (row) => row.files.join(' '),
  },
  {
    id: 'note',
    header: 'Note',
    width: 'minmax(8rem, 1fr)',
    cell: (row) => visibleText(row.note ?? ''),
    narrow: 'line',
    plain: (row) => row.note ?? null,
  },
  {
    id: 'source',
    header: 'From',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <OriginWords origin={row} />,
    narrow: 'line',
    plain: originText,
  },
];

/** Networks: named blocks of addresses with exceptions. */
export function NetworksScreen(): ReactNode {
  const { filter, setFilter, order, setOrder } = useModelList('id');
  const list: CursorList<Parameters<typeof client.model.networks.query>[0], NetworkRow> = {
    inputFor: (page) => ({ ...page, ...filterInput(filter), ...sortInput(order, ['id', 'nets']) }),
    keyFor: (input) => api.model.networks.queryKey(input),
    ask: client.model.networks.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead
        title="Networks"
        lead="Named blocks of addresses. An exception inside a block becomes nomatch in the kernel."
      />
      <ListFrame
        label="Networks"
        one="network"
        many="networks"
        noun="model"
        storageKey="networks"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowName={(row) => row.id}
        order={order}
        onOrder={setOrder}
        minWidth="58rem"
        isFiltered={filter !== ''}
        onClearFilters={() => setFilter('')}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        filters={<SearchBox isMain label="Filter networks" value={filter} onChange={setFilter} />}
        empty={
          <EmptyState title="The model has no network">
            Networks come from the `networks` of documents, or from list files they name.
          </EmptyState>
        }
      />
    </>
  );
}
