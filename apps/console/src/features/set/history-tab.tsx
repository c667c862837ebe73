'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { Run, SetDetail } from '../../client/api-types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { keepHost } from '../../ui/keep-host.ts';
import { allRows } from '../../ui/table/all-rows.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { runHref } from '../../words/addresses.ts';
import { runColumns } from '../runs/run-columns.tsx';

/** The runs that touched this set, the newest first. */
export function HistoryTab({ set }: { readonly set: SetDetail }): ReactNode {
  const router = useRouter();
  const list: CursorList<Parameters<typeof client.runs.list.query>[0], Run> = {
    inputFor: (page) => ({ ...page, set: set.name }),
    keyFor: (input) => api.runs.list.queryKey(input),
    ask: client.runs.list.query,
  };
  const rows = useCursorPages(list);
  return (
    <ListFrame
      label="Runs that touched this set"
      one="run"
      many="runs"
      noun="runs"
      storageKey="set-runs"
      columns={runColumns}
      rows={rows}
      rowId={(run) => run.id}
      rowName={(run) => `run ${run.id}`}
      onOpen={(run) => router.push(keepHost(runHref(run.id)))}
      maxHeight="max(22rem, calc(100dvh - 24rem))"
      isFiltered={false}
      onClearFilters={() => undefined}
      allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
      empty={<EmptyState title="No run has touched this set">Runs older than the history is kept are gone.</EmptyState>}
    />
  );
}
