'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import type { Held, Run } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { count, counted } from '../../ui/count.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.ts';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { useBulkConfirm } from '../plan/use-bulk-confirm.tsx';
import { RunFollow } from '../run/run-follow.tsx';
import { HeldSets } from './held-sets.tsx';

/** Held: what the guard stopped. Additions are in; removals wait for an operator. */
export function HeldScreen(): ReactNode {
  const held = useQuery(api.held.list.queryOptions());
  const [open, setOpen] = useState<{ readonly act: 'release' | 'reject'; readonly held: Held } | null>(null);
  const [named] = useQueryState('id', parseAsString);
  return (
    <>
      <ScreenHead
        title="Held"
        lead="Changes that remove more than the guard allows. Their additions are in; no removal is, until you release it once or reject it."
        actions={
          <span className="text-xs text-ink-3">
            <SeenAt query={held} />
          </span>
        }
      />
      <QueryBody query={held} what="The held changes">
        {(changes) =>
          changes.length === 0 ? (
            <Panel isFlush>
              <EmptyState title="Nothing is held">No change has removed more than the guard allows.</EmptyState>
            </Panel>
          ) : (
            <ul className="flex flex-col gap-5">
              {changes.map((change) => (
                <li key={change.id} ref={change.id === named ? bringIntoView : undefined} className="scroll-mt-16">
                  <HeldChange held={change} onAct={(act) => setOpen({ act, held: change })} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryBody>
      {open?.act === 'release' ? <ReleaseDialog held={open.held} onClose={() => setOpen(null)} /> : null}
      {open?.act === 'reject' ? <RejectDialog held={open.held} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

/** Scrolls to what the address names, once it is there. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'start' });
}

function HeldChange({
  held,
  onAct,
}: {
  readonly held: Held;
  readonly onAct: (act: 'release' | 'reject') => void;
}): ReactNode {
  const release = useAct('held.release', held.verbs);
  const reject = useAct('held.reject', held.verbs);
  const isRejected = held.state === 'rejected';
  return (
    <Panel
      isFlush
      title={
        <>
          <Verbatim text={held.id} /> · removes {count(held.removes)} members of {counted(held.sets.length, 'set')}
        </>
      }
      aside={
        <>
          <StateMark tone={isRejected ? 'quiet' : 'warn'} sign={isRejected ? 'stopped' : 'held'}>
            {isRejected ? 'rejected until its source changes' : 'held'}
          </StateMark>
          since <Ago at={held.at} />
        </>
      }
    >
      <div className="flex flex-wrap items-start justify-between gap-4 p-4">
        <div className="min-w-0 max-w-[80ch]">
          <ul className="list-disc pl-4 text-base">
            {held.why.map((why) => (
              <li key={why}>{visibleText(why)}</li>
            ))}
          </ul>
          <p className="mt-2 wrap-anywhere text-ink-2">
            from <Verbatim text={held.source} wraps />, {counted(held.objects, 'object')} changed
            {held.files.length === 0
              ? ''
              : `: ${held.files.slice(0, 6).map(visibleText).join(', ')}${held.files.length > 6 ? ` and ${held.files.length - 6} more` : ''}`}
            {held.commit === undefined ? '' : ` · commit ${visibleText(held.commit)}`}
          </p>
        </div>
        <div className="flex gap-2">
          {reject.isHidden || isRejected ? null : (
            <Button blockedBecause={reject.blockedBecause} onClick={() => onAct('reject')}>
              Reject…
            </Button>
          )}
          {release.isHidden ? null : (
            <Button blockedBecause={release.blockedBecause} onClick={() => onAct('release')}>
              Release once…
            </Button>
          )}
        </div>
      </div>
      <HeldSets held={held} />
    </Panel>
  );
}

function ReleaseDialog({ held, onClose }: { readonly held: Held; readonly onClose: () => void }): ReactNode {
  const confirm = useBulkConfirm();
  const [run, setRun] = useState<Run | null>(null);
  const act = useAct('held.release', held.verbs);
  const release = useMutation(api.held.release.mutationOptions());
  if (run !== null) {
    return (
      <Dialog title={`Released ${held.id}`} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <RunFollow id={run.id} />
      </Dialog>
    );
  }
  return (
    <ActDialog
      title={`Release ${visibleText(held.id)} once`}
      staysOpen
      what={
        <>
          <strong>{counted(held.removes, 'member')} will leave</strong> {counted(held.sets.length, 'set')}. Exactly what
          is shown here goes through, once; a further change is judged anew.
        </>
      }
      command={`setkeeper release ${shellWord(held.id)}`}
      look="danger"
      label={`Remove ${counted(held.removes, 'member')}`}
      blockedBecause={
        act.blockedBecause ?? (confirm.isTyped(held.removes) ? undefined : `Type ${count(held.removes)} first`)
      }
      onSend={async () => {
        setRun(await release.mutateAsync({ id: held.id, digest: held.digest, ...confirm.reasonInput }));
        await queryClient.invalidateQueries(api.held.pathFilter());
      }}
      onClose={onClose}
    >
      <ul className="max-h-48 overflow-y-auto rounded-lg border border-line px-3 py-1">
        {held.sets.map((set) => (
          <li key={`${set.group} ${set.family}`} className="flex justify-between gap-4 py-0.5">
            <span className="min-w-0 break-words">
              {visibleText(set.group)} {set.family ?? ''}
            </span>
            <span className="whitespace-nowrap text-ink-2">
              −{count(set.removes)} of {count(set.of)}
            </span>
          </li>
        ))}
      </ul>
      {confirm.fields(held.removes, held.removes === 1 ? 'member will be removed' : 'members will be removed')}
    </ActDialog>
  );
}

function RejectDialog({ held, onClose }: { readonly held: Held; readonly onClose: () => void }): ReactNode {
  const [reason, setReason] = useState('');
  const act = useAct('held.reject', held.verbs);
  const reject = useMutation(api.held.reject.mutationOptions());
  return (
    <ActDialog
      title={`Reject ${visibleText(held.id)}`}
      what="Its removals are dropped until the source changes again. Nothing is removed from the kernel."
      command={`setkeeper reject ${shellWord(held.id)}`}
      label="Reject"
      blockedBecause={act.blockedBecause}
      onSend={async () => {
        await reject.mutateAsync({
          id: held.id,
          digest: held.digest,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        });
        await queryClient.invalidateQueries(api.held.pathFilter());
        notify({ tone: 'ok', text: `${held.id} is rejected until its source changes` });
      }}
      onClose={onClose}
    >
      <TextField
        label="Reason, kept in the audit"
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
        data-autofocus=""
      />
    </ActDialog>
  );
}
