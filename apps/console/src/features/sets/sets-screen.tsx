'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useStatus } from '../../client/use-status.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/field.tsx';
import { keepHost } from '../../ui/keep-host.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { useListState, useWord } from '../../ui/table/use-list-state.ts';
import { useSelection } from '../../ui/table/use-selection.ts';
import { setHref } from '../../words/addresses.ts';
import { SelectionBar } from './selection-bar.tsx';
import { setColumns, setId } from './set-columns.tsx';
import { setsList } from './sets-list.ts';

const kinds = ['tag', 'port', 'net', 'list', 'hosts'] as const;
const families = ['inet', 'inet6'] as const;
const states = [
  'all',
  'dirty',
  'drifted',
  'failed',
  'unknown',
  'parked',
  'unused',
  'waiting',
  'starting',
  'live',
  'stopping',
  'used',
  'unseen',
  'in-sync',
  'partly',
  'succeeded',
  'interrupted',
] as const;
const quick = ['all', 'dirty', 'drifted', 'failed', 'unknown', 'unused'] as const;

/** Sets: one row a managed set. Filter, sort and paging are the agent's. */
export function SetsScreen(): ReactNode {
  const router = useRouter();
  const status = useStatus().data;
  const { filter, setFilter, order, setOrder } = useListState({ by: 'group', isDescending: false });
  const [state, setState] = useWord('state', states);
  const [kind, setKind] = useWord('kind', kinds);
  const [family, setFamily] = useWord('family', families);
  const selection = useSelection();
  const list = setsList({ filter, state: state === 'all' ? null : state, kind, family, order });
  const rows = useCursorPages(list);
  const clear = () => {
    setFilter('');
    setState(null);
    setKind(null);
    setFamily(null);
  };
  const isFiltered = filter !== '' || (state !== null && state !== 'all') || kind !== null || family !== null;
  const counts = status?.sets;
  return (
    <>
      <ScreenHead
        title="Sets"
        lead="One row for each group in each family: wanted, programmed and seen in the kernel, side by side."
      />
      <ListFrame
        label="Managed sets"
        one="set"
        many="sets"
        noun="sets"
        storageKey="sets"
        columns={setColumns}
        rows={rows}
        rowId={setId}
        rowName={setId}
        onOpen={(set) => router.push(keepHost(setHref(set.group, set.family)))}
        selection={selection}
        order={order}
        onOrder={setOrder}
        isFiltered={isFiltered}
        onClearFilters={clear}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        selectionBar={
          <SelectionBar
            selection={selection}
            total={rows.total}
            isEverything={!isFiltered && rows.total !== undefined && selection.ids.size >= rows.total}
            readAllIds={async (signal) => (await allRows(list, { signal })).map(setId)}
          />
        }
        filters={
          <>
            <SearchBox
              isMain
              label="Filter sets"
              placeholder="web, tag:web, state:dirty, member:10.65.0.2, ref:policy/…"
              value={filter}
              onChange={setFilter}
            />
            <Segmented
              label="State"
              value={quick.find((word) => word === (state ?? 'all')) ?? 'all'}
              choices={quick.map((value) => ({
                value,
                label: value === 'all' ? 'All' : value,
                count: value === 'all' || counts === undefined ? undefined : counts[value],
              }))}
              onChange={(value) => setState(value === 'all' ? null : value)}
            />
            <SelectField
              isBare
              label="Kind"
              value={kind ?? 'any'}
              choices={[{ value: 'any', label: 'every kind' }, ...kinds.map((value) => ({ value, label: value }))]}
              onChange={(value) => setKind(value === 'any' ? null : value)}
            />
            <SelectField
              isBare
              label="Family"
              value={family ?? 'any'}
              choices={[
                { value: 'any', label: 'both families' },
                ...families.map((value) => ({ value, label: value })),
              ]}
              onChange={(value) => setFamily(value === 'any' ? null : value)}
            />
          </>
        }
        empty={
          <EmptyState
            title="No set is managed yet"
            action={
              <AppLink className="link" href="/sources/">
                See the sources
              </AppLink>
            }
          >
            The model has no group that is referenced. Put documents into a source, or declare objects with{' '}
            <code>setkeeper put</code>.
          </EmptyState>
        }
      />
    </>
  );
}
