'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Fault } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { counted } from '../../ui/count.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { TextArea } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { type DeclaredObject, declaredOptions } from './declared-options.ts';

/** Edits documents of the declared source, one object or all of them, checked by the agent while one types. */
export function DeclaredDialog({
  source,
  object,
  onClose,
}: {
  readonly source: string;
  readonly object?: DeclaredObject;
  readonly onClose: () => void;
}): ReactNode {
  const read = useQuery(declaredOptions(source, object));
  const [turn, setTurn] = useState(0);
  const readAgain = async () => {
    await read.refetch();
    setTurn(turn + 1);
  };
  if (read.data !== undefined) {
    return <Editor key={turn} read={read.data} onReadAgain={() => void readAgain()} onClose={onClose} />;
  }
  return (
    <Dialog title="Declared objects" isWide onClose={onClose}>
      {read.error === null ? (
        <Skeleton lines={6} label="Reading the declared objects" />
      ) : (
        <FaultNote
          fault={faultOf(read.error)}
          what="The declared objects could not be read"
          onRetry={() => void read.refetch()}
        />
      )}
    </Dialog>
  );
}

interface Declared {
  readonly text: string;
  readonly revision: number;
}

function Editor({
  read,
  onReadAgain,
  onClose,
}: {
  readonly read: Declared;
  readonly onReadAgain: () => void;
  readonly onClose: () => void;
}): ReactNode {
  // What was there when editing began: an answer that comes while one types must not pass for something one has seen.
  const [{ text: given, revision: ifRevision }] = useState(read);
  const [text, setText] = useState(given);
  const checked = useDeferredValue(text);
  const act = useAct('model.put');
  const validation = useQuery(
    api.model.validate.queryOptions(
      { documents: checked },
      { enabled: checked.trim() !== '', gcTime: 0, placeholderData: (before) => before },
    ),
  );
  const put = useMutation(
    api.model.put.mutationOptions({
      onSuccess: (result) => {
        void queryClient.invalidateQueries(api.model.pathFilter());
        notify({ tone: 'ok', text: `${counted(result.changed, 'declared object')} changed` });
        onClose();
      },
    }),
  );
  const faults = validation.data?.faults ?? [];
  const errors = faults.filter((fault) => fault.severity === 'error');
  const blockedBecause =
    act.blockedBecause ??
    (put.isPending
      ? 'It is being sent'
      : text.trim() === ''
        ? 'Write a document first'
        : errors.length > 0
          ? `Mend ${counted(errors.length, 'fault')} first`
          : undefined);
  return (
    <Dialog
      title="Declared objects"
      isWide
      isBusy={put.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {act.isHidden ? null : (
            <Button
              look="primary"
              blockedBecause={blockedBecause}
              onClick={() => put.mutate({ documents: text, ifRevision })}
            >
              Put
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {put.error === null ? null : <Refusal error={put.error} onReadAgain={onReadAgain} />}
        <p className="text-ink-2">
          Objects in this text are written, all or none; an object left out of it stays as it is. To take one away,
          delete it.
        </p>
        <TextArea
          label="Documents, YAML or JSON"
          rows={18}
          value={text}
          onChange={(event) => setText(event.target.value)}
          data-autofocus=""
        />
        <Faults faults={faults} isChecked={validation.data !== undefined} />
        <p className="text-xs text-ink-3">
          the same: <CommandLine command={`setkeeper put -f FILE --if-revision ${ifRevision}`} />
        </p>
      </div>
    </Dialog>
  );
}

function Refusal({ error, onReadAgain }: { readonly error: unknown; readonly onReadAgain: () => void }): ReactNode {
  const fault = faultOf(error);
  return (
    <>
      <FaultNote fault={fault} what="Nothing was written" />
      {fault.code === 'conflict' ? (
        <p>
          <Button isSmall onClick={onReadAgain}>
            Drop this text and read it again
          </Button>
        </p>
      ) : null}
    </>
  );
}

function Faults({ faults, isChecked }: { readonly faults: readonly Fault[]; readonly isChecked: boolean }): ReactNode {
  return (
    <div role="status" aria-live="polite">
      {!isChecked ? null : faults.length === 0 ? (
        <StateMark tone="ok" sign="good">
          The agent finds no fault
        </StateMark>
      ) : (
        <ul className="flex flex-col gap-1">
          {faults.slice(0, 20).map((fault) => (
            <li key={`${fault.line} ${fault.path} ${fault.reason}`}>
              <StateMark
                tone={fault.severity === 'error' ? 'bad' : 'warn'}
                sign={fault.severity === 'error' ? 'bad' : 'warning'}
              >
                line {fault.line}
              </StateMark>{' '}
              <Verbatim text={fault.path} wraps /> {visibleText(fault.reason)}
            </li>
          ))}
          {faults.length > 20 ? <li className="text-ink-3">and {faults.length - 20} more</li> : null}
        </ul>
      )}
    </div>
  );
}
