'use client';

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { SetDetail } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { Note } from '../../ui/note.tsx';
import { notify } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { HoldersWords } from '../../words/holder-words.tsx';

/** Who needs this set: the named references, the kernel's number, and the holders that account for it. */
export function ReferencesTab({ set }: { readonly set: SetDetail }): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      {set.unexplained === null ? (
        <Note tone="unsure" title="The holders could not be read, so nothing can be said about the kernel's count" />
      ) : set.unexplained > 0 ? (
        <Note
          tone="bad"
          title={`${count(set.unexplained)} of ${count(set.kernelReferences ?? 0)} kernel references are unexplained`}
        >
          Nothing that could be read holds them.{' '}
          <AppLink className="link" href={screenHref('/references/', { q: set.name })}>
            What was looked at, and what could not be read
          </AppLink>
        </Note>
      ) : null}
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title={`Named references: ${count(set.referenceDetails.length)}`} isFlush>
          <NamedReferences set={set} />
        </Panel>
        <Panel
          isFlush
          title={`Kernel references: ${set.kernelReferences === null ? 'not known' : count(set.kernelReferences)}`}
        >
          <div className="px-4 py-1.5">
            <HoldersWords holders={set.holders} isFull />
          </div>
        </Panel>
      </div>
    </div>
  );
}

function NamedReferences({ set }: { readonly set: SetDetail }): ReactNode {
  const act = useAct('pins.remove');
  const remove = useMutation(
    api.pins.remove.mutationOptions({
      onSuccess: () => {
        notify({ tone: 'ok', text: `${visibleText(set.group)} is unpinned` });
        void queryClient.invalidateQueries(api.sets.pathFilter());
      },
      onError: (error) => notify({ tone: 'bad', text: `Not unpinned: ${faultOf(error).message}` }),
    }),
  );
  if (set.referenceDetails.length === 0) return <p className="p-4 text-ink-3">Nothing references this group.</p>;
  return (
    <ul className="divide-y divide-line">
      {set.referenceDetails.map((reference) => (
        <li key={reference.referrer} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
          {reference.referrer.startsWith('list:') ? (
            <GroupLink group={reference.referrer} />
          ) : (
            <Verbatim text={reference.referrer} wraps className="font-semibold" />
          )}
          <span className="text-ink-3">
            {reference.by === undefined ? '' : `by ${visibleText(reference.by)}, `}since <Ago at={reference.since} />
          </span>
          {reference.reason === undefined ? null : (
            <span className="text-ink-2">“{visibleText(reference.reason)}”</span>
          )}
          {reference.referrer.startsWith('pin') && !act.isHidden ? (
            <Button
              isSmall
              onClick={() => remove.mutate({ group: set.group, referrer: reference.referrer })}
              blockedBecause={act.blockedBecause}
            >
              Unpin
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
