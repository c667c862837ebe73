'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { ListRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import type { Column } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { setHref } from '../../words/addresses.ts';
import { GroupLink, GroupLinks } from '../../words/group-link.tsx';
import { ModelScreen } from './model-screen.tsx';
import { noteColumn, originColumn } from './object-columns.tsx';
import { ObjectPanel } from './object-panel.tsx';
import { SidePart } from './side-panel.tsx';
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
  noteColumn,
  originColumn,
];

/** Lists: sets of sets. */
export function ListsScreen(): ReactNode {
  const view = useModelList('id');
  const list: CursorList<Parameters<typeof client.model.lists.query>[0], ListRow> = {
    inputFor: (page) => ({ ...page, ...filterInput(view.filter), ...sortInput(view.order, ['id']) }),
    keyFor: (input) => api.model.lists.queryKey(input),
    ask: client.model.lists.query,
  };
  return (
    <ModelScreen
      title="Lists"
      lead="A list is one set whose members are sets: those of each member group, in every family."
      one="list"
      many="lists"
      columns={columns}
      list={list}
      view={view}
      empty="Lists come from the `lists` of documents."
      panel={(id, onClose) => <ListPanel id={id} onClose={onClose} />}
    />
  );
}

function ListPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.lists.queryOptions({ id, limit: 1 }));
  return (
    <ObjectPanel kind="list" id={id} query={page} onClose={onClose}>
      {(row) => (
        <>
          <AppLink className="link" href={setHref(`list:${row.id}`)}>
            Its set in the kernel
          </AppLink>
          <SidePart title="Member groups">
            <GroupLinks groups={row.members} max={200} />
          </SidePart>
        </>
      )}
    </ObjectPanel>
  );
}
