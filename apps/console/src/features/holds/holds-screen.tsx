'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '../../client/api.ts';
import type { Hold } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { notify } from '../../ui/notices.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { exceptionColumns } from '../exceptions/exception-columns.tsx';
import { ExceptionList } from '../exceptions/exception-list.tsx';
import { HoldDialog } from './hold-dialog.tsx';

const nameOf = (hold: Hold): string => hold.group ?? 'every set';

/** Holds: where an operator stopped programming and repair, why, and until when. */
export function HoldsScreen(): ReactNode {
  const holds = useQuery(api.holds.list.queryOptions());
  const add = useAct('holds.add');
  const remove = useAct('holds.remove');
  const [open, setOpen] = useState<'all' | Hold | null>(null);
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
      ...exceptionColumns<Hold>({ act: remove, label: 'End…', onPress: setOpen }),
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
      <ExceptionList
        many="holds"
        query={holds}
        columns={columns}
        nameOf={nameOf}
        empty={{
          title: 'Nothing is on hold',
          means: 'Every set is programmed and repaired. Hold a set from its own page.',
        }}
      />
      {open === 'all' ? <HoldDialog groups={null} onClose={() => setOpen(null)} /> : null}
      {open !== null && open !== 'all' ? <EndDialog hold={open} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function EndDialog({ hold, onClose }: { readonly hold: Hold; readonly onClose: () => void }): ReactNode {
  const act = useAct('holds.remove');
  const remove = useMutation(api.holds.remove.mutationOptions());
  const which = visibleText(nameOf(hold));
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
