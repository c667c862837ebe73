'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { api } from '../../client/api.ts';
import type { ReferenceRow } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { filterInput, useListState, useWord } from '../../ui/table/use-list-state.ts';
import { useQueryRows } from '../../ui/table/use-query-rows.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { HoldersWords } from '../../words/holder-words.tsx';
import { Quantity } from '../../words/pending.tsx';
import { LeakPanel } from './leak-panel.tsx';

const views = ['all', 'unexplained', 'unreadable', 'unnamed'] as const;

const columns: readonly Column<ReferenceRow>[] = [
  {
    id: 'set',
    header: 'Set',
    width: 'minmax(12rem, 1.3fr)',
    cell: (row) => (
      <span className="flex flex-col">
        {row.group === undefined ? null : <GroupLink group={row.group} family={row.family} tab="references" />}
        <Verbatim text={row.name} wraps className="text-xs text-ink-2" />
      </span>
    ),
    narrow: 'title',
    plain: (row) => row.group ?? row.name,
  },
  {
    id: 'named',
    header: 'Named references',
    width: 'minmax(10rem, 1.2fr)',
    cell: (row) =>
      row.named.length === 0 ? (
        <span className="text-ink-3">none</span>
      ) : (
        <ul>
          {row.named.map((reference) => (
            <li key={reference.referrer}>
              <Verbatim text={reference.referrer} wraps />
            </li>
          ))}
        </ul>
      ),
    narrow: 'line',
    plain: (row) => row.named.map((reference) => reference.referrer).join(' '),
  },
  {
    id: 'kernel',
    header: 'Kernel',
    width: '4.5rem',
    isNumber: true,
    explains: 'References that the kernel counts',
    cell: (row) => <Quantity value={row.kernel} />,
    narrow: 'line',
    plain: (row) => row.kernel,
  },
  {
    id: 'found',
    header: 'Found',
    width: '4.5rem',
    isNumber: true,
    explains: 'References that the holders account for',
    cell: (row) => count(row.holders.reduce((sum, holder) => sum + holder.count, 0)),
    narrow: 'line',
    plain: (row) => row.holders.reduce((sum, holder) => sum + holder.count, 0),
  },
  {
    id: 'unexplained',
    header: 'Unexplained',
    width: '8rem',
    cell: (row) =>
      row.unexplained === null ? (
        <StateMark tone="unsure" sign="unknown">
          not known
        </StateMark>
      ) : row.unexplained === 0 ? (
        <span className="text-ink-3">0</span>
      ) : (
        <span className="flex flex-col">
          <StateMark tone="bad" sign="bad">
            {count(row.unexplained)}
          </StateMark>
          <span className="text-xs text-ink-3">
            since <Ago at={row.unexplainedSince} />
          </span>
        </span>
      ),
    narrow: 'line',
    plain: (row) => row.unexplained,
  },
  {
    id: 'holders',
    header: 'Holders',
    width: 'minmax(18rem, 3fr)',
    cell: (row) => (
      <>
        <HoldersWords holders={row.holders} possible={row.possibleHolders} />
        {row.unreadable.map((one) => (
          <p key={one.what} className="text-xs text-unsure">
            could not be read: {visibleText(one.what)} ({visibleText(one.why)}). {visibleText(one.remedy)}
          </p>
        ))}
      </>
    ),
    narrow: 'line',
    plain: (row) => row.holders.map((holder) => `${holder.kind} ${holder.where}`).join('; '),
  },
];

/** References and leaks: who needs which set, the kernel's number against what was found, and what nobody can explain. */
export function ReferencesScreen(): ReactNode {
  const { filter, setFilter } = useListState({ by: 'set', isDescending: false });
  const [chosen, setView] = useWord('only', views);
  const view = chosen ?? 'all';
  const references = useQuery(api.references.list.queryOptions(filterInput(filter)));
  const shown = useMemo(
    () =>
      (references.data ?? []).filter((row) => {
        if (view === 'unexplained') return (row.unexplained ?? 0) > 0;
        if (view === 'unreadable') return row.unreadable.length > 0 || row.unexplained === null;
        if (view === 'unnamed') return row.named.length === 0 && (row.kernel ?? 0) > 0;
        return true;
      }),
    [references.data, view],
  );
  const rows = useQueryRows(references, shown, `${filter} ${view}`);
  return (
    <>
      <ScreenHead
        title="References & leaks"
        lead="For each set the kernel's own count against the holders that were found. What lasts without a holder is a leak; so is a named reference whose referrer is gone."
      />
      <LeakPanel />
      <ListFrame
        label="References"
        one="set"
        many="sets"
        noun="references"
        storageKey="references"
        columns={columns}
        rows={rows}
        rowId={(row) => row.name}
        rowName={(row) => row.group ?? row.name}
        isTall
        isFiltered={filter !== '' || view !== 'all'}
        onClearFilters={() => {
          setFilter('');
          setView(null);
        }}
        allRows={async () => shown}
        filters={
          <>
            <SearchBox
              isMain
              label="Filter references"
              placeholder="a group, a set name"
              value={filter}
              onChange={setFilter}
            />
            <Segmented
              label="Show"
              value={view}
              choices={[
                { value: 'all', label: 'All' },
                { value: 'unexplained', label: 'Unexplained' },
                { value: 'unreadable', label: 'Not all readable' },
                { value: 'unnamed', label: 'Used, not named' },
              ]}
              onChange={(value) => setView(value === 'all' ? null : value)}
            />
          </>
        }
        empty={
          <EmptyState title="Nothing references a set">
            No document names a group, and the kernel counts no reference.
          </EmptyState>
        }
      />
    </>
  );
}
