'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Override } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notify } from '../../ui/notices.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useArrayRows } from '../../ui/table/use-array-rows.ts';
import { useListState } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { findHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { OverrideDialog } from './override-dialog.tsx';

/** Overrides: temporary exceptions, who made them, why, and until when. */
export function OverridesScreen(): ReactNode {
  const { filter, setFilter } = useListState({ by: 'until', isDescending: false });
  const overrides = useQuery(api.overrides.list.queryOptions());
  const add = useAct('overrides.add');
  const remove = useAct('overrides.remove');
  const [open, setOpen] = useState<'add' | Override | null>(null);
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return overrides.data?.filter((one) =>
      `${one.group} ${one.address} ${one.by} ${one.reason}`.toLowerCase().includes(wanted),
    );
  }, [overrides.data, filter]);
  const rows = useArrayRows({
    rows: shown,
    at: overrides.data === undefined ? undefined : new Date(overrides.dataUpdatedAt).toISOString(),
    fault: overrides.error === null ? undefined : faultOf(overrides.error),
    retry: () => void overrides.refetch(),
  });
  const columns = useMemo<readonly Column<Override>[]>(
    () => [
      {
        id: 'kind',
        header: 'What',
        width: '5.5rem',
        cell: (one) => (one.kind === 'add' ? 'add' : 'exclude'),
        narrow: 'title',
        plain: (one) => one.kind,
      },
      {
        id: 'address',
        header: 'Address',
        width: 'minmax(10rem, 1fr)',
        cell: (one) => (
          <AppLink className="link" href={findHref(one.address)}>
            <Verbatim text={one.address} />
          </AppLink>
        ),
        narrow: 'title',
        plain: (one) => one.address,
      },
      {
        id: 'group',
        header: 'Group',
        width: 'minmax(9rem, 1fr)',
        cell: (one) => <GroupLink group={one.group} />,
        narrow: 'title',
        plain: (one) => one.group,
      },
      {
        id: 'by',
        header: 'By',
        width: '7rem',
        cell: (one) => visibleText(one.by),
        narrow: 'line',
        plain: (one) => one.by,
      },
      {
        id: 'reason',
        header: 'Reason',
        width: 'minmax(12rem, 2fr)',
        cell: (one) => <span className="break-words">{visibleText(one.reason)}</span>,
        narrow: 'line',
        plain: (one) => one.reason,
      },
      { id: 'at', header: 'Since', width: '8rem', cell: (one) => <Ago at={one.at} />, plain: (one) => one.at },
      {
        id: 'until',
        header: 'Ends',
        width: '8rem',
        cell: (one) => <Ago at={one.until} />,
        narrow: 'line',
        plain: (one) => one.until,
      },
      ...(remove.isHidden
        ? []
        : [
            {
              id: 'act',
              header: 'Act',
              width: '6rem',
              cell: (one: Override) => (
                <Button isSmall blockedBecause={remove.blockedBecause} onClick={() => setOpen(one)}>
                  Remove…
                </Button>
              ),
              narrow: 'line' as const,
            },
          ]),
    ],
    [remove.isHidden, remove.blockedBecause],
  );
  return (
    <>
      <ScreenHead
        title="Overrides"
        lead="Addresses added or excluded for a time. They beat every source, and end by themselves."
        actions={
          add.isHidden ? null : (
            <Button look="primary" blockedBecause={add.blockedBecause} onClick={() => setOpen('add')}>
              <Plus aria-hidden className="size-3.5" />
              Add or exclude…
            </Button>
          )
        }
      />
      <ListFrame
        label="Overrides"
        one="override"
        many="overrides"
        noun="overrides"
        storageKey="overrides"
        columns={columns}
        rows={rows}
        rowId={(one) => one.id}
        rowName={(one) => `${one.kind} ${one.address} ${one.group}`}
        isTall
        minWidth="60rem"
        isFiltered={filter !== ''}
        onClearFilters={() => setFilter('')}
        allRows={async () => shown ?? []}
        filters={<SearchBox isMain label="Filter overrides" value={filter} onChange={setFilter} />}
        empty={<EmptyState title="No override is in force">The sources alone decide who is in which set.</EmptyState>}
      />
      {open === 'add' ? <OverrideDialog onClose={() => setOpen(null)} /> : null}
      {open !== null && open !== 'add' ? <RemoveDialog override={open} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function RemoveDialog({ override, onClose }: { readonly override: Override; readonly onClose: () => void }): ReactNode {
  const act = useAct('overrides.remove');
  const remove = useMutation(api.overrides.remove.mutationOptions());
  return (
    <ActDialog
      title={`End the override on ${override.address}`}
      what={`From now on the sources decide whether ${override.address} is in ${visibleText(override.group)}.`}
      command={`setkeeper override remove ${shellWord(override.id)}`}
      label="End it now"
      blockedBecause={act.blockedBecause}
      onSend={async () => {
        await remove.mutateAsync({ id: override.id });
        await queryClient.invalidateQueries(api.overrides.pathFilter());
        notify({ tone: 'ok', text: `The override on ${override.address} has ended` });
      }}
      onClose={onClose}
    />
  );
}
