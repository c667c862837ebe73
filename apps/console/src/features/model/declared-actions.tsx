'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { IconButton } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { notify } from '../../ui/notices.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { DeclaredDialog } from './declared-dialog.tsx';
import { type DeclaredObject, declaredOptions } from './declared-options.ts';

/** Edit and delete, for an object of the declared source; nothing for one that a directory or etcd owns. */
export function DeclaredActions({
  object,
  source,
}: {
  readonly object: DeclaredObject;
  readonly source: string;
}): ReactNode {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const put = useAct('model.put');
  const remove = useAct('model.delete');
  const sources = useQuery(api.sources.list.queryOptions());
  if (sources.data?.find(({ name }) => name === source)?.kind !== 'declared') return null;
  return (
    <>
      {put.isHidden ? null : (
        <IconButton
          label={`Edit ${visibleText(object.id)}`}
          blockedBecause={put.blockedBecause}
          onClick={() => setOpen('edit')}
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {remove.isHidden ? null : (
        <IconButton
          label={`Delete ${visibleText(object.id)}`}
          blockedBecause={remove.blockedBecause}
          onClick={() => setOpen('delete')}
        >
          <Trash2 aria-hidden className="size-3.5" />
        </IconButton>
      )}
      {open === 'edit' ? <DeclaredDialog source={source} object={object} onClose={() => setOpen(null)} /> : null}
      {open === 'delete' ? <DeleteDialog source={source} object={object} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function DeleteDialog({
  source,
  object,
  onClose,
}: {
  readonly source: string;
  readonly object: DeclaredObject;
  readonly onClose: () => void;
}): ReactNode {
  const { kind, id } = object;
  const act = useAct('model.delete');
  const read = useQuery(declaredOptions(source, object));
  const remove = useMutation(api.model.delete.mutationOptions());
  const ifRevision = read.data?.revision;
  return (
    <ActDialog
      title={`Delete ${kind} ${visibleText(id)}`}
      what="It is taken out of the declared source. Members that it alone owns leave their sets; the guard judges that change like any other."
      command={`setkeeper delete ${kind} ${shellWord(id)}${ifRevision === undefined ? '' : ` --if-revision ${ifRevision}`}`}
      look="danger"
      label="Delete"
      blockedBecause={act.blockedBecause ?? (ifRevision === undefined ? 'It is being read' : undefined)}
      onSend={async () => {
        await remove.mutateAsync({ kind, id, ifRevision });
        void queryClient.invalidateQueries(api.model.pathFilter());
        notify({ tone: 'ok', text: `${kind} ${visibleText(id)} is deleted` });
      }}
      onClose={onClose}
    >
      {read.error === null ? (
        <p>
          {(read.data?.text ?? '…').split('\n').map((line) => (
            <Verbatim key={line} text={line} wraps className="block" />
          ))}
        </p>
      ) : (
        <FaultNote fault={faultOf(read.error)} what="It could not be read" onRetry={() => void read.refetch()} />
      )}
    </ActDialog>
  );
}
