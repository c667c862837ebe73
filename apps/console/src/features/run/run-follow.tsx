'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import { liveStore } from '../../client/live-store.ts';
import { queryClient } from '../../client/query-client.ts';
import { useStore } from '../../client/store.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { runHref } from '../../words/addresses.ts';
import { runWords, State } from '../../words/state-words.tsx';
import { FailureRows } from './failure-rows.tsx';
import { runSentence } from './run-sentence.ts';

/** A run as it goes: bar, counts, and what failed, until its end. Nothing is called done before the agent says so. */
export function RunFollow({ id }: { readonly id: string }): ReactNode {
  const run = useQuery(
    api.runs.get.queryOptions(
      { id, scriptLimit: 0 },
      {
        refetchInterval: (query) =>
          query.state.data === undefined || query.state.data.phase === 'running' ? 1_000 : false,
      },
    ),
  );
  const progress = useStore(liveStore, (live) => live.progress.get(id));
  const phase = run.data?.phase;
  const wasRunning = useRef(false);
  useEffect(() => {
    if (phase === 'running') wasRunning.current = true;
    else if (phase !== undefined && wasRunning.current) {
      wasRunning.current = false;
      void queryClient.invalidateQueries(api.sets.pathFilter());
    }
  }, [phase]);
  if (run.data === undefined) {
    if (run.error === null) return <Skeleton lines={3} label="Waiting for the run" />;
    return <FaultNote fault={faultOf(run.error)} what="The run could not be read" onRetry={() => void run.refetch()} />;
  }
  const { applied, rejected, skipped, notRun } = run.data.operations;
  const total = Math.max(run.data.lines, applied + rejected + skipped + notRun);
  const isRunning = run.data.phase === 'running';
  const done = isRunning ? Math.max(progress?.done ?? 0, applied + rejected + skipped) : applied + rejected + skipped;
  return (
    <div className="flex flex-col gap-4">
      <div role="status" aria-live="polite" className="flex flex-wrap items-baseline gap-x-3 text-base">
        <State words={runWords} word={run.data.phase} />
        <span>{runSentence(run.data)}</span>
      </div>
      <ProgressBar label="Operations done" done={done} total={total} isBad={rejected > 0} />
      {run.data.failures.length === 0 ? null : <FailureRows run={run.data} />}
      <p>
        <AppLink href={runHref(id)} className="link">
          Open run {id}
        </AppLink>{' '}
        <span className="text-ink-3">for its script with an outcome beside every line</span>
      </p>
    </div>
  );
}
