'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { api } from '../../client/api.ts';
import type { KernelSet } from '../../client/api-types.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { bytes, count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column, Order } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { filterInput, useListState, useWord } from '../../ui/table/use-list-state.ts';
import { useQueryRows } from '../../ui/table/use-query-rows.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { Quantity } from '../../words/pending.tsx';
import { ownerWords, State } from '../../words/state-words.tsx';

const owners = ['all', 'managed', 'leftover', 'temporary', 'internal', 'foreign'] as const;

const columns: readonly Column<KernelSet>[] = [
  {
    id: 'name',
    header: 'Kernel name',
    isSticky: true,
    width: 'minmax(16rem, 2fr)',
    sort: 'name',
    cell: (set) => (
      <span className="inline-flex items-center gap-1">
        <Verbatim text={set.name} className="font-semibold" />
        <CopyButton text={set.name} what={`name ${visibleText(set.name)}`} />
      </span>
    ),
    narrow: 'title',
    plain: (set) => set.name,
  },
  {
    id: 'owner',
    header: 'Whose',
    width: 'minmax(13.5rem, 1.2fr)',
    sort: 'owner',
    cell: (set) => (
      <span className="inline-flex items-center gap-1.5 align-middle">
        <State words={ownerWords} word={set.owner} />
        {set.byName === undefined ? null : (
          <span className="text-xs text-ink-3">{visibleText(set.byName)} by its name</span>
        )}
        {set.readable ? null : (
          <StateMark tone="unsure" sign="unknown" title={set.unreadableWhy}>
            unreadable
          </StateMark>
        )}
        {set.prefixShared === true ? <span className="text-xs text-warn">shares our prefix</span> : null}
      </span>
    ),
    narrow: 'title',
    plain: (set) => (set.byName === undefined ? set.owner : `${set.owner} (${set.byName} by its name)`),
  },
  {
    id: 'group',
    header: 'Group',
    width: 'minmax(7rem, 1fr)',
    cell: (set) =>
      set.group === undefined ? (
        <span className="text-ink-3">–</span>
      ) : (
        <GroupLink group={set.group} family={set.family} />
      ),
    narrow: 'line',
    plain: (set) => set.group ?? null,
  },
  {
    id: 'type',
    header: 'Type',
    width: '6.75rem',
    sort: 'type',
    cell: (set) => <Verbatim text={set.type} className="text-xs" />,
    narrow: 'line',
    plain: (set) => set.type,
  },
  {
    id: 'family',
    header: 'Family',
    width: '3.5rem',
    cell: (set) => set.family ?? <span className="text-ink-3">–</span>,
    plain: (set) => set.family,
  },
  {
    id: 'entries',
    header: 'Entries',
    width: '4.5rem',
    sort: 'entries',
    isNumber: true,
    cell: (set) => <Quantity value={set.entries} />,
    narrow: 'line',
    plain: (set) => set.entries,
  },
  {
    id: 'references',
    header: 'References',
    width: '5.5rem',
    sort: 'references',
    isNumber: true,
    cell: (set) => <Quantity value={set.references} />,
    narrow: 'line',
    plain: (set) => set.references,
  },
  {
    id: 'memory',
    header: 'Memory',
    width: '5rem',
    sort: 'memoryBytes',
    isNumber: true,
    cell: (set) =>
      set.memoryBytes === null ? '?' : <span title={`${count(set.memoryBytes)} bytes`}>{bytes(set.memoryBytes)}</span>,
    plain: (set) => set.memoryBytes,
  },
  {
    id: 'readable',
    header: 'Read',
    isHiddenAtFirst: true,
    width: '7rem',
    cell: (set) =>
      set.readable ? (
        <StateMark tone="ok" sign="good">
          readable
        </StateMark>
      ) : (
        <StateMark tone="unsure" sign="unknown" title={set.unreadableWhy}>
          unreadable
        </StateMark>
      ),
    plain: (set) => (set.readable ? 'readable' : (set.unreadableWhy ?? 'unreadable')),
  },
];

/** Kernel: every set of this host, whoever owns it. Foreign ones are shown and never written. */
export function KernelScreen(): ReactNode {
  const { filter, setFilter, order, setOrder } = useListState({ by: 'name', isDescending: false });
  const [chosen, setOwner] = useWord('owner', owners);
  const owner = chosen ?? 'all';
  const sets = useQuery(api.kernel.list.queryOptions(filterInput(filter)));
  const shown = useMemo(
    () =>
      sorted(
        (sets.data ?? []).filter((set) => owner === 'all' || set.owner === owner),
        order,
      ),
    [sets.data, owner, order.by, order.isDescending],
  );
  const counts = useMemo(() => {
    const byOwner = new Map<string, number>();
    for (const set of sets.data ?? []) byOwner.set(set.owner, (byOwner.get(set.owner) ?? 0) + 1);
    return byOwner;
  }, [sets.data]);
  const rows = useQueryRows(sets, shown, `${filter} ${owner} ${order.by} ${order.isDescending}`);
  return (
    <>
      <ScreenHead
        title="Kernel"
        lead="Every set of this host, headers read anew. Foreign sets belong to other tools: they are shown, never written, and a tool's name beside one is only a guess by its name."
      />
      <ListFrame
        label="Sets of the kernel"
        one="set"
        many="sets"
        noun="kernel"
        storageKey="kernel"
        columns={columns}
        rows={rows}
        rowId={(set) => set.name}
        rowName={(set) => visibleText(set.name)}
        order={order}
        onOrder={setOrder}
        isFiltered={filter !== '' || owner !== 'all'}
        onClearFilters={() => {
          setFilter('');
          setOwner(null);
        }}
        allRows={async () => shown}
        filters={
          <>
            <SearchBox isMain label="Filter sets of the kernel" value={filter} onChange={setFilter} />
            <Segmented
              label="Whose"
              value={owner}
              choices={owners.map((value) => ({
                value,
                label: value === 'all' ? 'All' : value,
                count: value === 'all' ? sets.data?.length : counts.get(value),
              }))}
              onChange={(value) => setOwner(value === 'all' ? null : value)}
            />
          </>
        }
        empty={
          <EmptyState title="This kernel has no set">
            Neither Setkeeper nor any other tool has made one in this network namespace.
          </EmptyState>
        }
      />
    </>
  );
}

function sorted(sets: readonly KernelSet[], order: Order): readonly KernelSet[] {
  const value = (set: KernelSet): string | number => {
    switch (order.by) {
      case 'entries':
        return set.entries ?? -1;
      case 'references':
        return set.references ?? -1;
      case 'memoryBytes':
        return set.memoryBytes ?? -1;
      case 'owner':
        return set.owner;
      case 'type':
        return set.type;
      default:
        return set.name;
    }
  };
  const sign = order.isDescending ? -1 : 1;
  return sets.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right)))
    );
  });
}
