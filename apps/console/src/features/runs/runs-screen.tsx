'use client';

import { useRouter } from 'next/navigation';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { Run } from '../../client/api-types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { keepHost } from '../../ui/keep-host.ts';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput, useListState, useWord } from '../../ui/table/use-list-state.ts';
import { runHref } from '../../words/addresses.ts';
import { runColumns } from './run-columns.tsx';

const phases = ['all', 'bad', 'running', 'succeeded', 'partly', 'failed', 'interrupted'] as const;
const phaseLabels: Readonly<Record<(typeof phases)[number], string>> = {
  all: 'All',
  bad: 'Not succeeded',
  running: 'Running',
  succeeded: 'Succeeded',
  partly: 'Partly',
  failed: 'Failed',
  interrupted: 'Interrupted',
};
const sorts = ['at', 'durationMs', 'sets'] as const;

/** Runs: live and past, the newest first. */
export function RunsScreen(): ReactNode {
  const router = useRouter();
  const { filter, setFilter, order, setOrder } = useListState({ by: 'at', isDescending: true });
  const [chosen, setPhase] = useWord('phase', phases);
  const [failed, setFailed] = useQueryState('failed', parseAsString);
  const [set, setSet] = useQueryState('set', parseAsString);
  const phase = chosen ?? (failed === 'true' ? 'bad' : 'all');
  const list: CursorList<Parameters<typeof client.runs.list.query>[0], Run> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(filter),
      ...sortInput(order, sorts),
      ...(set === null ? {} : { set }),
      ...(phase === 'bad' ? { failed: true } : phase === 'all' ? {} : { phase }),
    }),
    keyFor: (input) => api.runs.list.queryKey(input),
    ask: client.runs.list.query,
  };
  const rows = useCursorPages(list);
  const clear = () => {
    setFilter('');
    setPhase(null);
    void setFailed(null);
    void setSet(null);
  };
  return (
    <>
      <ScreenHead title="Runs" lead="Every execution of a plan, and one outcome for each of its operations." />
      <ListFrame
        label="Runs"
        one="run"
        many="runs"
        noun="runs"
        storageKey="runs"
        columns={runColumns}
        rows={rows}
        rowId={(run) => run.id}
        rowName={(run) => `run ${run.id}`}
        onOpen={(run) => router.push(keepHost(runHref(run.id)))}
        order={order}
        onOrder={setOrder}
        isFiltered={filter !== '' || phase !== 'all' || set !== null}
        onClearFilters={clear}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        filters={
          <>
            <SearchBox
              isMain
              label="Filter runs"
              placeholder="id, cause, actor, set name"
              value={filter}
              onChange={setFilter}
            />
            <Segmented
              label="Result"
              value={phase}
              choices={phases.map((value) => ({ value, label: phaseLabels[value] }))}
              onChange={(value) => {
                void setFailed(null);
                setPhase(value === 'all' ? null : value);
              }}
            />
          </>
        }
        empty={
          <EmptyState title="Nothing has been programmed yet">
            A run appears here as soon as the agent sends its first line to the kernel.
          </EmptyState>
        }
      />
    </>
  );
}
