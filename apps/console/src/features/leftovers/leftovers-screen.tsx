'use client';

import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Leftover } from '../../client/api-types.ts';
import { useAct } from '../../client/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { count, counted } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useArrayRows } from '../../ui/table/use-array-rows.ts';
import { filterInput, useListState } from '../../ui/table/use-list-state.ts';
import { useSelection } from '../../ui/table/use-selection.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { HoldersWords } from '../../words/holder-words.tsx';
import { Quantity } from '../../words/pending.tsx';
import { CleanupDialog } from './cleanup-dialog.tsx';

const formWords: Readonly<Record<Leftover['form'], string>> = {
  own: 'our name, no owner',
  temporary: 'temporary set of a rewrite',
  acknowledgement: 'acknowledgement set',
  'former-prefix': 'a former prefix',
};

const columns: readonly Column<Leftover>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(11rem, 1.3fr)',
    cell: (one) => <Verbatim text={one.name} className="font-semibold" wraps />,
    narrow: 'title',
    plain: (one) => one.name,
  },
  {
    id: 'eligible',
    header: 'Can be destroyed',
    width: 'minmax(10rem, 1.3fr)',
    cell: (one) =>
      one.eligible ? (
        <StateMark tone="ok" sign="good">
          yes
        </StateMark>
      ) : (
        <span className="flex flex-col">
          <StateMark tone={one.ignored ? 'quiet' : 'warn'} sign="stopped">
            {one.ignored ? 'ignored' : 'no'}
          </StateMark>
          <span className="text-xs whitespace-normal text-ink-2">{visibleText(one.reason ?? '')}</span>
        </span>
      ),
    narrow: 'title',
    plain: (one) => (one.eligible ? 'yes' : (one.reason ?? 'no')),
  },
  {
    id: 'form',
    header: 'Why it is ours',
    width: '8.5rem',
    cell: (one) => formWords[one.form],
    narrow: 'line',
    plain: (one) => formWords[one.form],
  },
  {
    id: 'type',
    header: 'Type',
    width: '5rem',
    cell: (one) => <Verbatim text={one.type} className="text-xs text-ink-2" />,
    plain: (one) => one.type,
  },
  {
    id: 'entries',
    header: 'Entries',
    width: '5rem',
    isNumber: true,
    cell: (one) => <Quantity value={one.entries} />,
    narrow: 'line',
    plain: (one) => one.entries,
  },
  {
    id: 'references',
    header: 'References',
    width: '6rem',
    isNumber: true,
    cell: (one) => <Quantity value={one.references} tone="font-semibold text-warn" />,
    narrow: 'line',
    plain: (one) => one.references,
  },
  {
    id: 'holders',
    header: 'Holders',
    width: 'minmax(15rem, 3fr)',
    cell: (one) => <HoldersWords holders={one.holders} />,
    narrow: 'line',
    plain: (one) => one.holders.map((holder) => `${holder.kind} ${holder.where}`).join('; '),
  },
];

/** Leftovers: sets of ours by name that nothing owns, why each may or may not go, and their clean-up. */
export function LeftoversScreen(): ReactNode {
  const { filter, setFilter } = useListState({ by: 'name', isDescending: false });
  const leftovers = useQuery(api.leftovers.list.queryOptions(filterInput(filter)));
  const selection = useSelection();
  const act = useAct('leftovers.cleanup');
  const [names, setNames] = useState<readonly string[] | null>(null);
  const items = leftovers.data?.items;
  const rows = useArrayRows({
    rows: items,
    at: leftovers.data?.at,
    fault: leftovers.error === null ? undefined : faultOf(leftovers.error),
    retry: () => void leftovers.refetch(),
  });
  const eligible = items?.filter((one) => one.eligible).map((one) => one.name) ?? [];
  return (
    <>
      <ScreenHead
        title="Leftovers"
        lead="Sets with our form of name that no group owns, and sets with a former prefix. Not ours to keep; they may still be in use until their holders are known."
        actions={
          act.isHidden || eligible.length === 0 ? null : (
            <Button blockedBecause={act.blockedBecause} onClick={() => setNames(eligible)}>
              <Trash2 aria-hidden className="size-3.5" />
              {eligible.length === 1
                ? 'Clean up the one eligible…'
                : `Clean up all ${count(eligible.length)} eligible…`}
            </Button>
          )
        }
      />
      <ListFrame
        label="Leftovers"
        one="leftover"
        many="leftovers"
        noun="leftovers"
        storageKey="leftovers"
        columns={columns}
        rows={rows}
        rowId={(one) => one.name}
        rowName={(one) => one.name}
        selection={act.isHidden ? undefined : selection}
        isTall
        isFiltered={filter !== ''}
        onClearFilters={() => setFilter('')}
        allRows={async () => items ?? []}
        selectionBar={
          selection.ids.size === 0 || act.isHidden ? null : (
            <section
              aria-label="Chosen leftovers"
              className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-tint px-3 py-1.5"
            >
              <span aria-live="polite" className="mr-2 font-semibold">
                {counted(selection.ids.size, 'leftover')} chosen
              </span>
              <Button isSmall blockedBecause={act.blockedBecause} onClick={() => setNames([...selection.ids])}>
                Clean up…
              </Button>
              <Button isSmall look="quiet" onClick={selection.clear}>
                Choose none
              </Button>
            </section>
          )
        }
        filters={<SearchBox isMain label="Filter leftovers" value={filter} onChange={setFilter} />}
        empty={
          <EmptyState title="There is no leftover">
            Every set with our form of name belongs to a group of the model.
          </EmptyState>
        }
      />
      {names === null ? null : (
        <CleanupDialog
          names={names}
          onClose={() => {
            setNames(null);
            selection.clear();
          }}
        />
      )}
    </>
  );
}
