'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import type { Leak } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { count } from '../../ui/count.ts';
import { notify } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { HoldersWords } from '../../words/holder-words.tsx';

/** Lasting unexplained references and orphaned named ones, with what to do about each. */
export function LeakPanel(): ReactNode {
  const leaks = useQuery(api.leaks.list.queryOptions());
  return (
    <div className="mb-5">
      <Panel
        isFlush
        title={
          leaks.data === undefined
            ? 'Leaks'
            : leaks.data.length === 0
              ? 'No leak'
              : `Leaks: ${count(leaks.data.length)}`
        }
        aside={<SeenAt query={leaks} />}
      >
        <QueryBody query={leaks} what="The leaks" lines={2}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="px-4 py-3 text-ink-2">
                Every kernel reference is accounted for, and every named one has its referrer.
              </p>
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((leak) => (
                  <LeakRow key={`${leak.kind} ${leak.name ?? ''} ${leak.group ?? ''}`} leak={leak} />
                ))}
              </ul>
            )
          }
        </QueryBody>
      </Panel>
    </div>
  );
}

function LeakRow({ leak }: { readonly leak: Leak }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const act = useAct('pins.remove');
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-baseline gap-x-2 text-base">
          <StateMark tone="bad" sign="bad">
            {leak.kind === 'kernel' ? `${count(leak.count)} unexplained` : 'orphaned reference'}
          </StateMark>
          {leak.group === undefined ? null : <GroupLink group={leak.group} tab="references" />}
          {leak.name === undefined ? null : <Verbatim text={leak.name} wraps />}
          <span className="text-sm text-ink-3">
            since <Ago at={leak.since} />
          </span>
        </p>
        <p className="mt-0.5 text-ink-2">{visibleText(leak.advice)}</p>
        {leak.holders.length + leak.possibleHolders.length === 0 ? null : (
          <HoldersWords holders={leak.holders} possible={leak.possibleHolders} />
        )}
      </div>
      {leak.kind !== 'named' || leak.group === undefined || act.isHidden ? null : (
        <Button blockedBecause={act.blockedBecause} onClick={() => setOpen(true)}>
          Unpin…
        </Button>
      )}
      {isOpen && leak.group !== undefined ? (
        <UnpinDialog group={leak.group} referrer={leak.name} onClose={() => setOpen(false)} />
      ) : null}
    </li>
  );
}

function UnpinDialog({
  group,
  referrer,
  onClose,
}: {
  readonly group: string;
  readonly referrer: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const act = useAct('pins.remove');
  const remove = useMutation(api.pins.remove.mutationOptions());
  return (
    <ActDialog
      title={`Remove the orphaned reference on ${visibleText(group)}`}
      what="Its referrer no longer exists in any source. If this was the last reference and no rule uses the set, the set is destroyed; a set that a rule uses stays."
      command={`setkeeper unpin ${shellWord(group)}`}
      label="Remove the reference"
      blockedBecause={act.blockedBecause}
      onSend={async () => {
        await remove.mutateAsync({ group, ...(referrer === undefined ? {} : { referrer }) });
        await Promise.all([
          queryClient.invalidateQueries(api.leaks.pathFilter()),
          queryClient.invalidateQueries(api.references.pathFilter()),
        ]);
        notify({ tone: 'ok', text: `The reference on ${visibleText(group)} is removed` });
      }}
      onClose={onClose}
    />
  );
}
