'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type ReactNode, useMemo } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Charts } from '../../client/api-types.ts';
import { usePreference } from '../../client/preferences.ts';
import { useStatus } from '../../client/use-status.ts';
import { Ago } from '../../ui/ago.tsx';
import { dateTime } from '../../ui/clock-time.ts';
import { count } from '../../ui/count.ts';
import { preciseDuration } from '../../ui/duration.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LineChart, type Series } from './line-chart.tsx';

const spans = ['60', '180', '1440', '10080'] as const;
const spanWords: Readonly<Record<(typeof spans)[number], string>> = {
  '60': 'last hour',
  '180': 'last 3 hours',
  '1440': 'last day',
  '10080': 'last week',
};

/** Runs, and how long a change took from its event to the kernel: as charts, or as the table behind them. */
export function ChartsPanel(): ReactNode {
  const [span, setSpan] = useQueryState('span', parseAsStringLiteral(spans).withDefault('180'));
  const [view, setView] = useQueryState('view', parseAsStringLiteral(['chart', 'table']).withDefault('chart'));
  const startedAt = useStatus().data?.startedAt;
  const charts = useQuery(api.status.charts.queryOptions({ minutes: Number(span) }, { refetchInterval: 30_000 }));
  return (
    <Panel
      title="Runs, and time from an event to the kernel"
      aside={
        <>
          <SelectField
            label="Span"
            isBare
            value={span}
            choices={spans.map((value) => ({ value, label: spanWords[value] }))}
            onChange={(value) => void setSpan(value)}
          />
          <Segmented
            label="Shown as"
            value={view}
            choices={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            onChange={(value) => void setView(value)}
          />
        </>
      }
    >
      {charts.data === undefined ? (
        charts.error === null ? (
          <Skeleton lines={4} label="Reading the charts" />
        ) : (
          <FaultNote
            fault={faultOf(charts.error)}
            what="The charts could not be read"
            onRetry={() => void charts.refetch()}
          />
        )
      ) : charts.data.at.length === 0 ? (
        <p className="text-ink-2">No run in this span.</p>
      ) : view === 'chart' ? (
        <ChartPair charts={charts.data} startedAt={startedAt} />
      ) : (
        <ChartTable charts={charts.data} />
      )}
    </Panel>
  );
}

function ChartPair({
  charts,
  startedAt,
}: {
  readonly charts: Charts;
  readonly startedAt: string | undefined;
}): ReactNode {
  const runs = useMemo<Series[]>(
    () => [
      { label: 'runs', token: 'accent', values: charts.runs, isBars: true },
      { label: 'failed', token: 'bad', values: charts.failed, isBars: true },
    ],
    [charts],
  );
  const latency = useMemo<Series[]>(
    () => [
      { label: 'half of the changes within', token: 'accent', values: charts.latencyP50Ms },
      { label: '99 % of the changes within', token: 'warn', values: charts.latencyP99Ms, isDashed: true },
    ],
    [charts],
  );
  const total = charts.runs.reduce((sum, value) => sum + value, 0);
  const failed = charts.failed.reduce((sum, value) => sum + value, 0);
  const first = charts.at[0] ?? 0;
  const isYounger = startedAt !== undefined && Date.parse(startedAt) / 1_000 > first;
  const measured = charts.latencyP99Ms.filter((value) => value !== null);
  const worst = measured.length === 0 ? 'none measured' : `at worst ${preciseDuration(Math.max(...measured))}`;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <figure>
        <figcaption className="mb-1 text-xs text-ink-2">
          <span className="font-semibold text-accent">▮ runs</span> {count(total)} ·{' '}
          <span className="font-semibold text-bad">▮ failed or partly</span> {count(failed)}
        </figcaption>
        <LineChart
          label={`Runs over time: ${count(total)}, of which ${count(failed)} failed`}
          at={charts.at}
          series={runs}
          formatValue={count}
        />
      </figure>
      <figure>
        <figcaption className="mb-1 text-xs text-ink-2">
          <span className="font-semibold text-accent">━ half within</span> ·{' '}
          <span className="font-semibold text-warn">┅ 99 % within</span>, {worst}
          {isYounger ? (
            <>
              {' · since the agent started '}
              <Ago at={startedAt} />
            </>
          ) : null}
        </figcaption>
        <LineChart
          label={`Time from an event to the kernel, 99 % within: ${worst}`}
          at={charts.at}
          series={latency}
          formatValue={preciseDuration}
        />
      </figure>
    </div>
  );
}

function ChartTable({ charts }: { readonly charts: Charts }): ReactNode {
  const [clock] = usePreference('clock');
  const rows = charts.at.map((at, index) => ({ at, index })).toReversed();
  const time = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : preciseDuration(value);
  return (
    <ScrollRegion label="Runs and times as numbers" className="max-h-80">
      <table className="w-full text-right">
        <thead className="sticky top-0 bg-surface text-xs text-ink-3">
          <tr>
            <th className="py-1 text-left font-medium">from</th>
            <th className="font-medium">runs</th>
            <th className="font-medium">failed</th>
            <th className="font-medium">half within</th>
            <th className="font-medium">99 % within</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, index }) => (
            <tr key={at} className="border-t border-line">
              <td className="py-1 text-left">{dateTime(at * 1_000, clock)}</td>
              <td>{count(charts.runs[index] ?? 0)}</td>
              <td>{count(charts.failed[index] ?? 0)}</td>
              <td>{time(charts.latencyP50Ms[index])}</td>
              <td>{time(charts.latencyP99Ms[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
