'use client';

import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import type { ObjectKind } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { IconButton } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { notify } from '../../ui/notices.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { DeclaredDialog } from './declared-dialog.tsx';

/** Edit and delete, for an object of the declared source; nothing for one that a directory or etcd owns. */
export function DeclaredActions({
  kind,
  id,
  source,
  text,
}: {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly source: string;
  /** It as a document; without one, all of the declared source is edited. */
  readonly text: string | undefined;
}): ReactNode {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const put = useAct('model.put');
  const remove = useAct('model.delete');
  if (source !== 'declared') return null;
  return (
    <>
      {put.isHidden ? null : (
        <IconButton
          label={`Edit ${visibleText(id)}`}
          blockedBecause={put.blockedBecause}
          onClick={() => setOpen('edit')}
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {remove.isHidden ? null : (
        <IconButton
          label={`Delete ${visibleText(id)}`}
          blockedBecause={remove.blockedBecause}
          onClick={() => setOpen('delete')}
        >
          <Trash2 aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {open === 'edit' ? (
        <DeclaredDialog {...(text === undefined ? {} : { text })} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'delete' ? <DeleteDialog kind={kind} id={id} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function DeleteDialog({
  kind,
  id,
  onClose,
}: {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly onClose: () => void;
}): ReactNode {
  const act = useAct('model.delete');
  const remove = useMutation(api.model.delete.mutationOptions());
  return (
    <ActDialog
      title={`Delete ${kind} ${visibleText(id)}`}
      what="It is taken out of the declared source. Members that it alone owns leave their sets; the guard judges that change like any other."
      command={`setkeeper delete ${kind} ${shellWord(id)}`}
      look="danger"
      label="Delete"
      blockedBecause={act.blockedBecause}
      onSend={async () => {
        await remove.mutateAsync({ kind, id });
        await queryClient.invalidateQueries(api.model.pathFilter());
        notify({ tone: 'ok', text: `${kind} ${visibleText(id)} is deleted` });
      }}
      onClose={onClose}
    />
  );
}
