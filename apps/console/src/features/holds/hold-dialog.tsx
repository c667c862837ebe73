'use client';

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { counted } from '../../ui/count.ts';
import { notify } from '../../ui/notices.ts';
import { useReasonAndTime } from '../../ui/reason-and-time.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Stops programming and repair for groups, or for all with `groups` null; read-back goes on. */
export function HoldDialog({
  groups,
  onClose,
}: {
  readonly groups: readonly string[] | null;
  readonly onClose: () => void;
}): ReactNode {
  const { reason, forSeconds, fields } = useReasonAndTime(true);
  const act = useAct('holds.add');
  const add = useMutation(api.holds.add.mutationOptions());
  const which =
    groups === null
      ? 'every set'
      : groups.length === 1
        ? visibleText(groups[0] ?? '')
        : counted(groups.length, 'group');
  const send = async () => {
    if (forSeconds === undefined) return;
    await add.mutateAsync({ ...(groups === null ? { all: true } : { groups: [...groups] }), forSeconds, reason });
    await queryClient.invalidateQueries(api.holds.pathFilter());
    notify({ tone: 'ok', text: `${which} is on hold`, link: { href: '/holds/', label: 'All holds' } });
  };
  const named = groups === null ? '--all' : groups.slice(0, 4).map(shellWord).join(' ');
  return (
    <ActDialog
      title={`Hold ${which}`}
      what="Nothing of it is programmed or repaired until the hold ends, whatever the model says and whoever changes the kernel. Read-back goes on, so drift is still seen."
      command={`setkeeper hold ${named} --for ${forSeconds ?? 3_600}s --reason ${shellWord(reason === '' ? 'why' : reason)}`}
      label="Hold"
      blockedBecause={
        act.blockedBecause ??
        (reason === '' ? 'Say why first' : forSeconds === undefined ? 'Say for how long' : undefined)
      }
      onSend={send}
      onClose={onClose}
    >
      {fields}
    </ActDialog>
  );
}
