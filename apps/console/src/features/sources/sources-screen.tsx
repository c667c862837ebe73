'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import type { Source } from '../../client/api-types.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count, counted } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { notify } from '../../ui/notices.ts';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { useReasonAndTime } from '../../ui/reason-and-time.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { State, sourceWords } from '../../words/state-words.tsx';
import { DeclaredDialog } from '../model/declared-dialog.tsx';

/** Sources: where the model comes from, in order of precedence, whether each still speaks, and what is wrong in it. */
export function SourcesScreen(): ReactNode {
  const sources = useQuery(api.sources.list.queryOptions());
  return (
    <>
      <ScreenHead
        title="Sources"
        lead="In order of precedence: of two sources with the same object the upper one wins. A source that falls silent keeps its last good content; nothing of it is removed."
        actions={
          <span className="text-xs text-ink-3">
            <SeenAt query={sources} />
          </span>
        }
      />
      <QueryBody query={sources} what="The sources">
        {(rows) =>
          rows.length === 0 ? (
            <Panel isFlush>
              <EmptyState title="This agent has no source">
                It observes, or its configuration names none. See `sources` in agent.yaml.
              </EmptyState>
            </Panel>
          ) : (
            <ol className="flex flex-col gap-4">
              {rows.map((source) => (
                <li key={source.name}>
                  <SourcePanel source={source} />
                </li>
              ))}
            </ol>
          )
        }
      </QueryBody>
    </>
  );
}

function SourcePanel({ source }: { readonly source: Source }): ReactNode {
  const [open, setOpen] = useState<'accept' | 'declared' | null>(null);
  const accept = useAct('sources.accept');
  const put = useAct('model.put');
  return (
    <Panel
      isFlush
      title={<Verbatim text={source.name} wraps />}
      aside={
        <>
          {source.kind === 'declared' && !put.isHidden ? (
            <Button isSmall blockedBecause={put.blockedBecause} onClick={() => setOpen('declared')}>
              Edit declared objects…
            </Button>
          ) : null}
          {accept.isHidden ? null : (
            <Button isSmall blockedBecause={accept.blockedBecause} onClick={() => setOpen('accept')}>
              Accept as complete…
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3">
        <span className="text-base">
          <State words={sourceWords} word={source.state} />
        </span>
        <span className="text-ink-2">{sourceWords[source.state].means}</span>
        <span className="text-ink-3">
          {source.kind}, {counted(source.objects, 'object')}
          {source.since === undefined ? null : (
            <>
              , since <Ago at={source.since} />
            </>
          )}
          , last good <Ago at={source.lastGoodAt} never="never" />
        </span>
        {source.commit === undefined ? null : (
          <span className="min-w-0 wrap-anywhere text-ink-3">commit {visibleText(source.commit)}</span>
        )}
        {source.detail === undefined ? null : <span className="w-full">{visibleText(source.detail)}</span>}
        {source.waiting === undefined ? null : <span className="w-full text-ink-2">{visibleText(source.waiting)}</span>}
      </div>
      <Faults source={source} />
      {open === 'accept' ? <AcceptDialog source={source} onClose={() => setOpen(null)} /> : null}
      {open === 'declared' ? <DeclaredDialog source={source.name} onClose={() => setOpen(null)} /> : null}
    </Panel>
  );
}

function Faults({ source }: { readonly source: Source }): ReactNode {
  if (source.problems.length === 0) return null;
  return (
    <div className="border-t border-line">
      <h3 className="px-4 pt-2 font-semibold">
        {counted(source.problems.length, 'fault')}; each object keeps its last good value
      </h3>
      <ScrollRegion label={`Faults of ${source.name}`} className="max-h-96">
        <ul className="divide-y divide-line">
          {source.problems.map((fault) => {
            const where = fault.line > 0 ? `${fault.file}:${fault.line}` : fault.file;
            return (
              <li
                key={`${where} ${fault.path} ${fault.reason}`}
                className="grid items-baseline gap-x-4 gap-y-0.5 px-4 py-2 md:grid-cols-[4.5rem_minmax(0,1fr)]"
              >
                <StateMark
                  tone={fault.severity === 'error' ? 'bad' : 'warn'}
                  sign={fault.severity === 'error' ? 'bad' : 'warning'}
                >
                  {fault.severity}
                </StateMark>
                <div className="min-w-0">
                  <p className="font-medium break-words">{visibleText(fault.reason)}</p>
                  <p className="flex flex-wrap items-center gap-x-3 text-ink-2">
                    <span className="inline-flex items-center gap-1">
                      <Verbatim text={where} wraps />
                      <CopyButton text={where} what="file and line" />
                    </span>
                    <Verbatim text={fault.path} wraps className="text-ink-3" />
                  </p>
                </div>
              </li>
            );
          })}
        </ul>
      </ScrollRegion>
    </div>
  );
}

function AcceptDialog({ source, onClose }: { readonly source: Source; readonly onClose: () => void }): ReactNode {
  const { reason, fields } = useReasonAndTime(false);
  const act = useAct('sources.accept');
  const accept = useMutation(api.sources.accept.mutationOptions());
  return (
    <ActDialog
      title={`Accept ${visibleText(source.name)} as complete`}
      what={
        <>
          What it says now is taken as everything it has: <strong>{counted(source.objects, 'object')}</strong>. Objects
          that it no longer names may be removed then; the{' '}
          <AppLink className="link" href="/held/">
            guard
          </AppLink>{' '}
          still judges that change.
        </>
      }
      command={`setkeeper source accept ${shellWord(source.name)} --reason ${shellWord(reason === '' ? 'why' : reason)}`}
      label={`Accept ${count(source.objects)} objects`}
      blockedBecause={act.blockedBecause ?? (reason === '' ? 'Say why first' : undefined)}
      onSend={async () => {
        await accept.mutateAsync({ name: source.name, reason });
        await queryClient.invalidateQueries(api.sources.pathFilter());
        notify({ tone: 'ok', text: `${source.name} is accepted as complete` });
      }}
      onClose={onClose}
    >
      {fields}
    </ActDialog>
  );
}
