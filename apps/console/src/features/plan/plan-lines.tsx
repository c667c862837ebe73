'use client';

import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { Plan, PlanLine, PlanSelection } from '../../client/api-types.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataGrid } from '../../ui/table/data-grid.tsx';
import { useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';

const columns: readonly Column<PlanLine>[] = [
  {
    id: 'line',
    header: 'Line',
    width: '3.5rem',
    isNumber: true,
    cell: (line) => <span className="text-ink-3">{line.line}</span>,
    narrow: 'title',
  },
  {
    id: 'text',
    header: 'Restore line',
    width: 'minmax(18rem, 3fr)',
    cell: (line) => <Verbatim text={line.text} className="text-xs" />,
    narrow: 'title',
  },
  {
    id: 'meaning',
    header: 'What it means',
    width: 'minmax(12rem, 2fr)',
    cell: (line) => <span className="text-ink-2">{visibleText(line.meaning)}</span>,
    narrow: 'line',
  },
];

/** Lines of a plan with their meaning, by cursor: of one set, or those that hold a text. */
export function PlanLines({
  plan,
  selection,
  set,
  filter,
}: {
  readonly plan: Plan;
  readonly selection: PlanSelection;
  readonly set?: string;
  readonly filter?: string;
}): ReactNode {
  const rows = useCursorPages({
    inputFor: (page) => ({
      ...selection,
      ...page,
      digest: plan.digest,
      ...(set === undefined ? {} : { set }),
      ...(filter === undefined ? {} : { filter }),
    }),
    keyFor: (input) => ['plan-lines', ...api.plan.lines.queryKey(input)],
    ask: client.plan.lines.query,
    limit: 500,
  });
  if (rows.isLoading) return <Skeleton lines={3} label="Reading the script" />;
  if (rows.fault !== undefined && rows.count === 0) {
    return (
      <div className="p-3">
        <FaultNote fault={rows.fault} what="The script could not be read" onRetry={rows.retry} />
      </div>
    );
  }
  if (rows.count === 0) return <p className="px-4 py-6 text-center text-ink-2">No line holds this text.</p>;
  return (
    <DataGrid
      label={set === undefined ? 'Lines that hold the text' : `Lines for ${set}`}
      columns={columns}
      rows={rows}
      rowId={(line) => String(line.line)}
      rowName={(line) => `line ${line.line}`}
      maxHeight="16rem"
    />
  );
}
