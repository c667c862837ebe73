'use client';

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { notify } from '../../ui/notices.ts';
import { useReasonAndTime } from '../../ui/reason-and-time.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Takes an operator's reference on a group, so that its set stays in the kernel. */
export function PinDialog({ group, onClose }: { readonly group: string; readonly onClose: () => void }): ReactNode {
  const { reason, fields } = useReasonAndTime(false);
  const act = useAct('pins.add');
  const add = useMutation(api.pins.add.mutationOptions());
  const send = async () => {
    await add.mutateAsync({ group, reason });
    await queryClient.invalidateQueries(api.sets.pathFilter());
    notify({ tone: 'ok', text: `${visibleText(group)} is pinned` });
  };
  return (
    <ActDialog
      title={`Pin ${visibleText(group)}`}
      what="Its sets are programmed and stay in the kernel even if no document references them, until you unpin them."
      command={`setkeeper pin ${shellWord(group)} --reason ${shellWord(reason === '' ? 'why' : reason)}`}
      label="Pin"
      blockedBecause={act.blockedBecause ?? (reason === '' ? 'Say why first' : undefined)}
      onSend={send}
      onClose={onClose}
    >
      {fields}
    </ActDialog>
  );
}
