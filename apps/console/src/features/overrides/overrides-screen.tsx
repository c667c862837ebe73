'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { api } from '../../client/api.ts';
import type { Override } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { notify } from '../../ui/notices.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { findHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { exceptionColumns } from '../exceptions/exception-columns.tsx';
import { ExceptionList } from '../exceptions/exception-list.tsx';
import { OverrideDialog } from './override-dialog.tsx';

const nameOf = (override: Override): string => `${override.kind} ${override.address} ${override.group}`;

/** Overrides: temporary exceptions, who made them, why, and until when. */
export function OverridesScreen(): ReactNode {
  const overrides = useQuery(api.overrides.list.queryOptions());
  const add = useAct('overrides.add');
  const remove = useAct('overrides.remove');
  const [open, setOpen] = useState<'add' | Override | null>(null);
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
      ...exceptionColumns<Override>({ act: remove, label: 'Remove…', onPress: setOpen }),
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
      <ExceptionList
        many="overrides"
        query={overrides}
        columns={columns}
        nameOf={nameOf}
        empty={{
          title: 'No override is in force',
          means: 'The sources alone decide who is in which set.',
        }}
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
