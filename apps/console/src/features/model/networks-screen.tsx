'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { NetworkRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { count, counted } from '../../ui/count.ts';
import type { Column } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { setHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { Quantity } from '../../words/pending.tsx';
import { ModelScreen } from './model-screen.tsx';
import { noteColumn, originColumn } from './object-columns.tsx';
import { ObjectPanel } from './object-panel.tsx';
import { SidePart } from './side-panel.tsx';
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
  noteColumn,
  originColumn,
];

/** Networks: named blocks of addresses with exceptions. */
export function NetworksScreen(): ReactNode {
  const view = useModelList('id');
  const list: CursorList<Parameters<typeof client.model.networks.query>[0], NetworkRow> = {
    inputFor: (page) => ({ ...page, ...filterInput(view.filter), ...sortInput(view.order, ['id', 'nets']) }),
    keyFor: (input) => api.model.networks.queryKey(input),
    ask: client.model.networks.query,
  };
  return (
    <ModelScreen
      title="Networks"
      lead="Named blocks of addresses. An exception inside a block becomes nomatch in the kernel."
      one="network"
      many="networks"
      columns={columns}
      list={list}
      view={view}
      empty="Networks come from the `networks` of documents, or from list files they name."
      panel={(id, onClose) => <NetworkPanel id={id} onClose={onClose} />}
    />
  );
}

function NetworkPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.networks.queryOptions({ id, limit: 1 }));
  return (
    <ObjectPanel kind="network" id={id} query={page} onClose={onClose}>
      {(row) => (
        <>
          <SidePart title="Nets and exceptions">
            <AppLink className="link" href={setHref(`net:${row.id}`)}>
              {counted(row.nets, 'net')}
            </AppLink>
            {row.except === 0 ? null : `, ${counted(row.except, 'exception')}`}
          </SidePart>
          {row.files.length === 0 ? null : (
            <SidePart title="From files">
              <ul>
                {row.files.map((file) => (
                  <li key={file}>
                    <Verbatim text={file} wraps />
                  </li>
                ))}
              </ul>
            </SidePart>
          )}
        </>
      )}
    </ObjectPanel>
  );
}
