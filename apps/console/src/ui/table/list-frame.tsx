'use client';

import { Columns3, Download, Pause, Play, Rows3 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { liveStore, setPaused } from '../../client/live-store.ts';
import type { Noun } from '../../client/nouns.ts';
import { usePreference, useStored, writeStored } from '../../client/preferences.ts';
import { useStore } from '../../client/store.ts';
import { Ago } from '../ago.tsx';
import { Button, IconButton } from '../button.tsx';
import { count } from '../count.ts';
import { FilteredEmpty } from '../empty-state.tsx';
import { FaultNote } from '../fault-note.tsx';
import { Menu } from '../menu.tsx';
import { notify } from '../notices.ts';
import { Skeleton } from '../skeleton.tsx';
import { csvOf } from './csv.ts';
import { DataGrid, type DataGridProps } from './data-grid.tsx';
import { download, stampedName } from './download.ts';

/** A whole list: its tools, its table, and every state it can be in. */
export interface ListFrameProps<Row> extends DataGridProps<Row> {
  /** `set`, `sets`: for the counts and the empty states. */
  readonly one: string;
  readonly many: string;
  /** Under which name this browser remembers the columns. */
  readonly storageKey: string;
  /** Whose events make these rows old, for "N new" while paused. */
  readonly noun?: Noun;
  readonly filters?: ReactNode;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
  readonly empty: ReactNode;
  /** Reads every row of the filter, not only the page. */
  readonly allRows?: (
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ) => Promise<readonly Row[]>;
  /** Stands above the table while rows are chosen. */
  readonly selectionBar?: ReactNode;
}

/** The frame around a table: filters, count, age, pause, columns, density, export, and loading, empty, fault and old. */
export function ListFrame<Row>(props: ListFrameProps<Row>): ReactNode {
  const { rows, storageKey } = props;
  const columns = useColumns(storageKey, props.columns);
  return (
    <section aria-label={props.label} className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2">
        {props.filters}
        <div className="ml-auto flex max-w-full items-center gap-1 text-xs text-ink-3">
          <span aria-live="polite" className="mr-1 sm:whitespace-nowrap">
            {rows.total === undefined ? '' : `${count(rows.total)} ${rows.total === 1 ? props.one : props.many}`}
            {rows.at === undefined ? null : (
              <>
                {' · seen '}
                <Ago at={rows.at} />
              </>
            )}
          </span>
          {props.noun === undefined ? null : <PauseButton noun={props.noun} />}
          <ColumnMenu storageKey={storageKey} all={props.columns} shown={columns} />
          <DensityButton />
          {props.allRows === undefined ? null : <ExportMenu {...props} read={props.allRows} />}
        </div>
      </div>
      {props.selectionBar}
      {rows.fault !== undefined && rows.count > 0 ? (
        <div className="border-b border-line p-3">
          <FaultNote
            fault={rows.fault}
            what="These rows could not be refreshed: they are as they were last seen"
            onRetry={rows.retry}
          />
        </div>
      ) : null}
      <ListBody {...props} columns={columns} />
    </section>
  );
}

function ListBody<Row>(props: ListFrameProps<Row>): ReactNode {
  const { rows } = props;
  if (rows.isLoading) return <Skeleton lines={9} label={`Reading ${props.many}`} />;
  if (rows.fault !== undefined && rows.count === 0) {
    return (
      <div className="p-4">
        <FaultNote fault={rows.fault} what={`The ${props.many} could not be read`} onRetry={rows.retry} />
      </div>
    );
  }
  if (rows.count === 0 && props.isFiltered) return <FilteredEmpty noun={props.many} onClear={props.onClearFilters} />;
  if (rows.count === 0) return props.empty;
  return <DataGrid {...props} />;
}

function useColumns<Row>(storageKey: string, all: ListFrameProps<Row>['columns']): ListFrameProps<Row>['columns'] {
  const stored = useStored(`columns.${storageKey}`);
  if (stored === null) return all.filter((column) => column.isHiddenAtFirst !== true);
  const shown = new Set(stored.split(','));
  const kept = all.filter((column) => shown.has(column.id));
  return kept.length === 0 ? all : kept;
}

function ColumnMenu<Row>({
  storageKey,
  all,
  shown,
}: {
  readonly storageKey: string;
  readonly all: ListFrameProps<Row>['columns'];
  readonly shown: ListFrameProps<Row>['columns'];
}): ReactNode {
  const ids = new Set(shown.map((column) => column.id));
  const toggle = (id: string) => {
    const next = all.filter((column) => (column.id === id ? !ids.has(id) : ids.has(column.id)));
    if (next.length > 0) writeStored(`columns.${storageKey}`, next.map((column) => column.id).join(','));
  };
  return (
    <Menu
      label="Columns"
      trigger={
        <IconButton label="Choose columns">
          <Columns3 aria-hidden className="size-4" />
        </IconButton>
      }
      entries={all.map((column) => ({
        id: column.id,
        label: column.header,
        isChecked: ids.has(column.id),
        keepsOpen: true,
        onSelect: () => toggle(column.id),
      }))}
    />
  );
}

function DensityButton(): ReactNode {
  const [density, setDensity] = usePreference('density');
  const other = density === 'compact' ? 'comfortable' : 'compact';
  return (
    <IconButton label={`Make rows ${other}`} onClick={() => setDensity(other)}>
      <Rows3 aria-hidden className="size-4" />
    </IconButton>
  );
}

function PauseButton({ noun }: { readonly noun: Noun }): ReactNode {
  const isPaused = useStore(liveStore, (live) => live.isPaused);
  const missed = useStore(liveStore, (live) => live.missed[noun] ?? 0);
  if (!isPaused) {
    return (
      <IconButton label="Pause the list" onClick={() => setPaused(true)}>
        <Pause aria-hidden className="size-4" />
      </IconButton>
    );
  }
  return (
    <Button isSmall look="primary" onClick={() => setPaused(false)} title="Show what came meanwhile">
      <Play aria-hidden className="size-3.5" />
      Paused · {count(missed)} new
    </Button>
  );
}

function ExportMenu<Row>(
  props: ListFrameProps<Row> & { readonly read: NonNullable<ListFrameProps<Row>['allRows']> },
): ReactNode {
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState('');
  const run = async (format: 'csv' | 'json') => {
    const controller = new AbortController();
    setAbort(controller);
    setProgress('0');
    try {
      const rows = await props.read(controller.signal, (done, total) =>
        setProgress(`${count(done)} of ${count(total)}`),
      );
      const text = format === 'csv' ? csvOf(props.columns, rows) : `${JSON.stringify(rows, null, 2)}\n`;
      download(
        stampedName(props.storageKey, format, Date.now()),
        format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json',
        text,
      );
      notify({
        tone: 'ok',
        text: `${count(rows.length)} ${props.many} exported as ${format.toUpperCase()}, times in UTC`,
      });
    } catch (error) {
      if (!controller.signal.aborted) notify({ tone: 'bad', text: `The export failed: ${faultOf(error).message}` });
    } finally {
      setAbort(null);
    }
  };
  if (abort !== null) {
    return (
      <Button isSmall onClick={() => abort.abort()} title="Stop the export">
        Exporting {progress} · stop
      </Button>
    );
  }
  return (
    <Menu
      label="Export"
      trigger={
        <IconButton label="Export all rows of this filter">
          <Download aria-hidden className="size-4" />
        </IconButton>
      }
      entries={[
        { id: 'csv', label: 'Export as CSV', hint: 'all rows of this filter', onSelect: () => void run('csv') },
        { id: 'json', label: 'Export as JSON', hint: 'all rows of this filter', onSelect: () => void run('json') },
      ]}
    />
  );
}
