'use client';

import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { ListRow } from '../../client/api-types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink, GroupLinks } from '../../words/group-link.tsx';
import { OriginWords, originText } from './origin-words.tsx';
import { useModelList } from './use-model-list.ts';

const columns: readonly Column<ListRow>[] = [
  {
    id: 'id',
    header: 'List',
    width: 'minmax(12rem, 1.2fr)',
    sort: 'id',
    cell: (row) => <GroupLink group={`list:${row.id}`} />,
    narrow: 'title',
    plain: (row) => row.id,
  },
  {
    id: 'members',
    header: 'Members',
    width: 'minmax(16rem, 3fr)',
    cell: (row) => <GroupLinks groups={row.members} max={8} />,
    narrow: 'line',
    plain: (row) => row.members.join(' '),
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

/** Lists: sets of sets. */
export function ListsScreen(): ReactNode {
  const { filter, setFilter, order, setOrder } = useModelList('id');
  const list: CursorList<Parameters<typeof client.model.lists.query>[0], ListRow> = {
    inputFor: (page) => ({ ...page, ...filterInput(filter), ...sortInput(order, ['id']) }),
    keyFor: (input) => api.model.lists.queryKey(input),
    ask: client.model.lists.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead
        title="Lists"
        lead="A list is one set whose members are sets: those of each member group, in every family."
      />
      <ListFrame
        label="Lists"
        one="list"
        many="lists"
        noun="model"
        storageKey="lists"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowName={(row) => row.id}
        order={order}
        onOrder={setOrder}
        minWidth="52rem"
        isFiltered={filter !== ''}
        onClearFilters={() => setFilter('')}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        filters={<SearchBox isMain label="Filter lists" value={filter} onChange={setFilter} />}
        empty={<EmptyState title="The model has no list">Lists come from the `lists` of documents.</EmptyState>}
      />
    </>
  );
}
