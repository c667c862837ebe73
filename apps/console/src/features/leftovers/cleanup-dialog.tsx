'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { CleanupResult } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CommandLine, shellWord } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count, counted } from '../../ui/count.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Note } from '../../ui/note.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { HoldersWords } from '../../words/holder-words.tsx';
import { useBulkConfirm } from '../plan/use-bulk-confirm.tsx';

const namesInCommandMax = 5;

/** Shows exactly which leftovers will be destroyed and which are kept and why; destroys them after the count is typed. */
export function CleanupDialog({
  names,
  onClose,
}: {
  readonly names: readonly string[];
  readonly onClose: () => void;
}): ReactNode {
  const [round, setRound] = useState(0);
  const [isStale, setStale] = useState(false);
  const confirm = useBulkConfirm();
  const act = useAct('leftovers.cleanup');
  const plan = useQuery({
    queryKey: ['shown-cleanup', names, round],
    queryFn: ({ signal }) => client.leftovers.cleanup.mutate({ names: [...names], dryRun: true }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const cleanup = useMutation(
    api.leftovers.cleanup.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.leftovers.pathFilter());
        void queryClient.invalidateQueries(api.status.pathFilter());
      },
      onError: (error) => {
        if (faultOf(error).code !== 'digest-stale') return;
        setStale(true);
        confirm.forget();
        setRound((now) => now + 1);
      },
    }),
  );
  if (cleanup.data !== undefined) {
    return (
      <Dialog title="Clean up leftovers" onClose={onClose} isWide footer={<Button onClick={onClose}>Close</Button>}>
        <Done result={cleanup.data} />
      </Dialog>
    );
  }
  const eligible = plan.data?.eligible ?? 0;
  const isConfirmed = confirm.isTyped(eligible);
  const send = () => {
    if (plan.data === undefined || !isConfirmed) return;
    cleanup.mutate({
      names: [...names],
      digest: plan.data.digest,
      confirm: eligible,
      ...confirm.reasonInput,
    });
  };
  const blockedBecause =
    act.blockedBecause ??
    (plan.data === undefined
      ? 'The list is on its way'
      : eligible === 0
        ? 'None of these can be destroyed'
        : isConfirmed
          ? undefined
          : `Type ${count(eligible)} first`);
  return (
    <Dialog
      title="Clean up leftovers"
      onClose={onClose}
      isWide
      isBusy={cleanup.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {act.isHidden ? null : (
            <Button
              look="danger"
              onClick={send}
              blockedBecause={cleanup.isPending ? 'It is being sent' : blockedBecause}
            >
              {`Destroy ${counted(eligible, 'set')}`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {isStale ? (
          <Note
            isAlert
            tone="warn"
            title="Nothing was destroyed: the leftovers changed while you looked. This is the list now."
          />
        ) : null}
        {cleanup.error !== null && faultOf(cleanup.error).code !== 'digest-stale' ? (
          <FaultNote fault={faultOf(cleanup.error)} what="Nothing was destroyed" />
        ) : null}
        {plan.data === undefined ? (
          plan.error === null ? (
            <Skeleton lines={4} label="Reading the leftovers" />
          ) : (
            <FaultNote
              fault={faultOf(plan.error)}
              what="The list could not be read"
              onRetry={() => void plan.refetch()}
            />
          )
        ) : (
          <>
            <p className="text-base">
              <strong>{counted(eligible, 'set')}</strong> will be destroyed, never flushed first: one that turns out to
              be in use stays exactly as it is. A destroyed set cannot be brought back.
            </p>
            <Script text={plan.data.script} />
            <Kept kept={plan.data.kept} />
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
              digest <Verbatim text={`${plan.data.digest.slice(0, 16)}…`} />
              <CopyButton text={plan.data.digest} what="digest" />
              <CommandLine
                command={`setkeeper cleanup${names
                  .slice(0, namesInCommandMax)
                  .map((name) => ` --name ${shellWord(name)}`)
                  .join(
                    '',
                  )}${names.length > namesInCommandMax ? ' …' : ''} --digest ${plan.data.digest} --confirm ${eligible}`}
              />
            </p>
            {eligible === 0
              ? null
              : confirm.fields(eligible, eligible === 1 ? 'set will be destroyed' : 'sets will be destroyed')}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Script({ text }: { readonly text: string }): ReactNode {
  if (text === '') return null;
  return (
    <ScrollRegion label="Script" className="max-h-56 rounded-lg border border-line bg-sunken">
      <pre className="px-4 py-2 text-xs leading-5">{text.split('\n').map(visibleText).join('\n')}</pre>
    </ScrollRegion>
  );
}

function Kept({ kept }: { readonly kept: CleanupResult['kept'] }): ReactNode {
  if (kept.length === 0) return null;
  return (
    <section aria-label="Kept" className="rounded-lg border border-line px-4 py-2">
      <h3 className="font-semibold">{counted(kept.length, 'set')} kept</h3>
      <ul className="max-h-60 divide-y divide-line overflow-y-auto">
        {kept.map((one) => (
          <li key={one.name} className="py-1.5">
            <Verbatim text={one.name} /> <span className="text-ink-2">{visibleText(one.reason)}</span>
            {one.holders.length === 0 ? null : <HoldersWords holders={one.holders} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Done({ result }: { readonly result: CleanupResult }): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <div role="status" aria-live="polite">
        <Note
          tone={result.kept.length === 0 ? 'ok' : 'warn'}
          title={`${counted(result.removed.length, 'set')} destroyed, ${count(result.kept.length)} kept`}
        >
          {result.run === undefined ? null : (
            <AppLink className="link" href={runHref(result.run)}>
              Open run {result.run}
            </AppLink>
          )}
        </Note>
      </div>
      <Kept kept={result.kept} />
    </div>
  );
}
