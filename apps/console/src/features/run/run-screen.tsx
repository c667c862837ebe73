'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { parseAsInteger, parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { LineOutcome, RunDetail } from '../../client/api-types.ts';
import { liveStore } from '../../client/live-store.ts';
import { useStore } from '../../client/store.ts';
import { useAct } from '../../client/use-act.ts';
import { Ago, At } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { CommandLine, shellWord } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count, counted } from '../../ui/count.ts';
import { preciseDuration } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { keepHost } from '../../ui/keep-host.ts';
import { NotThere } from '../../ui/not-there.tsx';
import { notify } from '../../ui/notices.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import { download } from '../../ui/table/download.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, useWord } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { runWords, State } from '../../words/state-words.tsx';
import { FailureRows } from './failure-rows.tsx';
import { outcomeColumns } from './outcome-columns.tsx';
import { enforcementNow, runSentence } from './run-sentence.ts';

const allRuns = { href: '/runs/', label: 'All runs' };
const scriptLinesMax = 2_000_000;

/** One run: its counts in one line, failures by cause, then the script with an outcome beside every line. */
export function RunScreen(): ReactNode {
  const [id] = useQueryState('id', parseAsString.withDefault(''));
  const run = useQuery(
    api.runs.get.queryOptions(
      { id, scriptLimit: 0 },
      { enabled: id !== '', refetchInterval: (query) => (query.state.data?.phase === 'running' ? 2_000 : false) },
    ),
  );
  if (id === '') {
    return (
      <NotThere name="Run" title="No run is named" list={allRuns}>
        The address needs a run: <code>/run/?id=…</code>
      </NotThere>
    );
  }
  if (run.data === undefined) {
    if (run.error === null) return <Skeleton lines={8} label="Reading the run" />;
    const fault = faultOf(run.error);
    const name = `Run ${visibleText(id)}`;
    return fault.code === 'not-found' ? (
      <NotThere name={name} title={`There is no run ${visibleText(id)}`} list={allRuns}>
        Runs older than the history is kept are gone.
      </NotThere>
    ) : (
      <>
        <ScreenHead title={name} />
        <FaultNote fault={fault} what={`${name} could not be read`} onRetry={() => void run.refetch()} />
      </>
    );
  }
  return <RunBody run={run.data} />;
}

function RunBody({ run }: { readonly run: RunDetail }): ReactNode {
  const [code, setCode] = useQueryState('code', parseAsString);
  const [set, setSet] = useQueryState('set', parseAsString);
  const showFailure = (failure: RunDetail['failures'][number]) => {
    void setCode(failure.code);
    void setSet(failure.set);
  };
  const means = enforcementNow(run);
  return (
    <div className="flex flex-col gap-4">
      <ScreenHead
        title={
          <>
            <State words={runWords} word={run.phase} /> {visibleText(runSentence(run))}
          </>
        }
        actions={<RunActions run={run} />}
      >
        {means === null ? null : (
          <p className={clsx('mt-1 text-base', run.retryable === 0 ? 'text-ink-2' : 'font-semibold text-bad')}>
            {visibleText(means)}
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
          <span className="inline-flex items-center gap-1.5">
            Run <Verbatim text={run.id} /> <CopyButton text={run.id} what="run id" />{' '}
            <CopyButton text={() => window.location.href} what="permalink" label="Permalink" />
          </span>
          <span>
            {run.cause}
            {run.causeDetail === undefined ? '' : ` (${visibleText(run.causeDetail)})`} by {visibleText(run.actor)}
          </span>
          <span>
            <At at={run.at} /> (<Ago at={run.at} />)
          </span>
          <span>
            {counted(run.sets, 'set')}, {counted(run.lines, 'line')}, {counted(run.attempts, 'attempt')},{' '}
            {preciseDuration(run.durationMs)}
          </span>
        </p>
        {run.reason === undefined ? null : <p className="mt-1">Reason: “{visibleText(run.reason)}”</p>}
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-3">
          <span title={run.digest}>
            digest <Verbatim text={`${run.digest.slice(0, 16)}…`} />
          </span>
          <CommandLine command={`setkeeper run ${shellWord(run.id)}`} />
        </p>
      </ScreenHead>
      {run.phase === 'running' ? <RunningBar run={run} /> : null}
      {run.failures.length === 0 ? null : <FailureRows run={run} onShow={showFailure} />}
      <Outcomes
        run={run}
        code={code}
        set={set}
        onClear={() => {
          void setCode(null);
          void setSet(null);
        }}
      />
    </div>
  );
}

function RunningBar({ run }: { readonly run: RunDetail }): ReactNode {
  const progress = useStore(liveStore, (live) => live.progress.get(run.id));
  const { applied, rejected, skipped, notRun } = run.operations;
  const done = Math.max(progress?.done ?? 0, applied + rejected + skipped);
  return (
    <ProgressBar label="Operations done" done={done} total={Math.max(run.lines, done + notRun)} isBad={rejected > 0} />
  );
}

function RunActions({ run }: { readonly run: RunDetail }): ReactNode {
  const act = useAct('runs.retry');
  const router = useRouter();
  const retry = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: (next) => {
        notify({ tone: 'info', text: `Trying the rejected lines of ${run.id} again` });
        router.push(keepHost(runHref(next.id)));
      },
      onError: (error) => notify({ tone: 'bad', text: `Nothing was retried: ${faultOf(error).message}` }),
    }),
  );
  const save = async () => {
    try {
      const whole = await client.runs.get.query({ id: run.id, scriptLimit: scriptLinesMax });
      download(`setkeeper-${run.id}.restore`, 'text/plain', whole.script);
    } catch (error) {
      notify({ tone: 'bad', text: `The script could not be read: ${faultOf(error).message}` });
    }
  };
  return (
    <>
      <Button onClick={() => void save()}>
        <Download aria-hidden className="size-3.5" />
        Script
      </Button>
      {act.isHidden || run.retryable === 0 ? null : (
        <Button
          look="primary"
          onClick={() => retry.mutate({ id: run.id })}
          blockedBecause={retry.isPending ? 'It is being sent' : act.blockedBecause}
          title="Sends the parked members of this run again now; the same as setkeeper retry"
        >
          Retry {count(run.retryable)}
        </Button>
      )}
    </>
  );
}

const choices = ['all', 'bad', 'rejected', 'skipped', 'not-run', 'applied'] as const;
const choiceLabels: Readonly<Record<(typeof choices)[number], string>> = {
  all: 'All, failed first',
  bad: 'Failed',
  rejected: 'Rejected',
  skipped: 'Skipped',
  'not-run': 'Not run',
  applied: 'Applied',
};

function Outcomes({
  run,
  code,
  set,
  onClear,
}: {
  readonly run: RunDetail;
  readonly code: string | null;
  readonly set: string | null;
  readonly onClear: () => void;
}): ReactNode {
  const [chosen, setOnly] = useWord('only', choices);
  const [filter, setFilter] = useQueryState('q', parseAsString.withDefault(''));
  const [line, setLine] = useQueryState('line', parseAsInteger);
  const only = chosen ?? 'all';
  const list: CursorList<Parameters<typeof client.runs.outcomes.query>[0], LineOutcome> = {
    inputFor: (page) => ({
      ...page,
      id: run.id,
      only,
      order: 'failed-first',
      ...filterInput(filter),
      ...(code === null ? {} : { code }),
      ...(set === null ? {} : { set }),
    }),
    keyFor: (input) => api.runs.outcomes.queryKey(input),
    ask: client.runs.outcomes.query,
    limit: 500,
  };
  const rows = useCursorPages(list);
  const { applied, rejected, skipped, notRun } = run.operations;
  const counts = { all: undefined, bad: rejected + skipped + notRun, rejected, skipped, 'not-run': notRun, applied };
  return (
    <ListFrame
      label="Script with outcomes"
      one="line"
      many="lines"
      noun="runs"
      storageKey="outcomes"
      columns={outcomeColumns}
      rows={rows}
      rowId={(one) => String(one.line)}
      rowName={(one) => `line ${one.line}`}
      isTall
      maxHeight="max(22rem, calc(100dvh - 20rem))"
      openId={line === null ? null : String(line)}
      onOpen={(one) => void setLine(one.line === line ? null : one.line)}
      jump={{ isTarget: (one) => one.outcome !== 'applied', next: 'n', previous: 'p' }}
      isFiltered={filter !== '' || only !== 'all' || code !== null || set !== null}
      onClearFilters={() => {
        setOnly(null);
        void setFilter(null);
        onClear();
      }}
      allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
      filters={
        <>
          <SearchBox
            isMain
            label="Search the lines"
            value={filter}
            onChange={(text) => void setFilter(text === '' ? null : text)}
          />
          <Segmented
            label="Outcome"
            value={only}
            choices={choices.map((value) => ({ value, label: choiceLabels[value], count: counts[value] }))}
            onChange={(value) => setOnly(value === 'all' ? null : value)}
          />
          {code === null ? null : (
            <Button isSmall onClick={onClear} title="Show every cause again">
              only “{code}” in {set ?? ''} ×
            </Button>
          )}
        </>
      }
      empty={<EmptyState title="This run had no line to send" />}
    />
  );
}
