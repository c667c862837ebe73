'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Hold } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notify } from '../../ui/notices.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useArrayRows } from '../../ui/table/use-array-rows.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { HoldDialog } from './hold-dialog.tsx';

/** Holds: where an operator stopped programming and repair, why, and until when. */
export function HoldsScreen(): ReactNode {
  const holds = useQuery(api.holds.list.queryOptions());
  const add = useAct('holds.add');
  const remove = useAct('holds.remove');
  const [open, setOpen] = useState<'all' | Hold | null>(null);
  const rows = useArrayRows({
    rows: holds.data,
    at: holds.data === undefined ? undefined : new Date(holds.dataUpdatedAt).toISOString(),
    fault: holds.error === null ? undefined : faultOf(holds.error),
    retry: () => void holds.refetch(),
  });
  const columns = useMemo<readonly Column<Hold>[]>(
    () => [
      {
        id: 'group',
        header: 'What',
        width: 'minmax(10rem, 1.2fr)',
        cell: (one) => (one.group === null ? <strong>every set</strong> : <GroupLink group={one.group} />),
        narrow: 'title',
        plain: (one) => one.group ?? 'all',
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
        width: 'minmax(14rem, 2fr)',
        cell: (one) => <span className="break-words">{visibleText(one.reason)}</span>,
        narrow: 'line',
        plain: (one) => one.reason,
      },
      {
        id: 'at',
        header: 'Since',
        width: '8rem',
        cell: (one) => <Ago at={one.at} />,
        narrow: 'line',
        plain: (one) => one.at,
      },
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
              width: '7rem',
              cell: (one: Hold) => (
                <Button isSmall blockedBecause={remove.blockedBecause} onClick={() => setOpen(one)}>
                  End…
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
        title="Holds"
        lead="Under a hold nothing is programmed and nothing is repaired; read-back goes on."
        actions={
          add.isHidden ? null : (
            <Button blockedBecause={add.blockedBecause} onClick={() => setOpen('all')}>
              Hold every set…
            </Button>
          )
        }
      />
      <ListFrame
        label="Holds"
        one="hold"
        many="holds"
        noun="holds"
        storageKey="holds"
        columns={columns}
        rows={rows}
        rowId={(one) => one.id}
        rowName={(one) => one.group ?? 'every set'}
        isTall
        minWidth="54rem"
        isFiltered={false}
        onClearFilters={() => undefined}
        allRows={async () => holds.data ?? []}
        empty={
          <EmptyState title="Nothing is on hold">
            Every set is programmed and repaired. Hold a set from its own page.
          </EmptyState>
        }
      />
      {open === 'all' ? <HoldDialog groups={null} onClose={() => setOpen(null)} /> : null}
      {open !== null && open !== 'all' ? <EndDialog hold={open} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function EndDialog({ hold, onClose }: { readonly hold: Hold; readonly onClose: () => void }): ReactNode {
  const act = useAct('holds.remove');
  const remove = useMutation(api.holds.remove.mutationOptions());
  const which = hold.group === null ? 'every set' : visibleText(hold.group);
  return (
    <ActDialog
      title={`End the hold on ${which}`}
      what={
        hold.group === null
          ? 'Every hold ends. What the model wants is programmed at once, and drift is repaired.'
          : 'What the model wants of it is programmed at once, and drift is repaired.'
      }
      command={`setkeeper unhold${hold.group === null ? '' : ` ${shellWord(hold.group)}`}`}
      label="End the hold"
      blockedBecause={act.blockedBecause}
      onSend={async () => {
        await remove.mutateAsync(hold.group === null ? {} : { groups: [hold.group] });
        await queryClient.invalidateQueries(api.holds.pathFilter());
        notify({ tone: 'ok', text: `The hold on ${which} has ended` });
      }}
      onClose={onClose}
    />
  );
}
