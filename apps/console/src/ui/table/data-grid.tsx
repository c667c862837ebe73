// biome-ignore-all lint/a11y/useSemanticElements: a virtual grid lays rows out by itself, which table elements forbid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop and names its active row
'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { readPreference, usePreference } from '../../client/preferences.ts';
import { isTextTarget } from '../text-target.ts';
import { useMedia } from '../use-media.ts';
import { type Column, chooseTrack, isLastNumber, leastWidth, type Order } from './column.ts';
import { GridRow } from './grid-row.tsx';
import type { RowSource } from './row-source.ts';
import type { Selection } from './use-selection.ts';

/** What a table needs; states (loading, empty, fault) are the frame's. */
export interface DataGridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  /** Names a row to those who listen, for its check box. */
  readonly rowName: (row: Row) => string;
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly openId?: string | null | undefined;
  readonly selection?: Selection | undefined;
  readonly order?: Order | undefined;
  readonly onOrder?: ((order: Order) => void) | undefined;
  /** Rows are as high as what is in them. */
  readonly isTall?: boolean;
  readonly maxHeight?: string;
  /** Single letters that lead, from anywhere on the page, to the next and previous row of a kind. */
  readonly jump?:
    | { readonly isTarget: (row: Row) => boolean; readonly next: string; readonly previous: string }
    | undefined;
}

/**
 * A grid of virtual rows: only those in view are in the document, whatever the list's length. One tab stop; arrows or
 * `j` `k` move, Space chooses, Shift extends, Enter opens. On a narrow screen each row is a card.
 */
export function DataGrid<Row>(props: DataGridProps<Row>): ReactNode {
  const { columns, rows, rowId, selection, onOpen, order, onOrder } = props;
  const [density] = usePreference('density');
  // Rows as high as their words are read one under another before they are read by scrolling sideways.
  const isNarrow = useMedia(props.isTall === true ? '(max-width: 959px)' : '(max-width: 719px)');
  const scroller = useRef<HTMLDivElement>(null);
  const base = useId();
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState(0);
  const isMeasured = isNarrow || props.isTall === true;
  const rowPx = isNarrow ? 84 : density === 'compact' ? 33 : 41;
  const headPx = isNarrow ? 0 : 34;
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollPaddingStart: headPx,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { show } = rows;
  useEffect(() => show(first, last), [show, first, last]);
  useEffect(() => virtual.measure(), [rowPx, isMeasured]);

  const list = useRef(rows.id);
  useEffect(() => {
    if (list.current === rows.id) return;
    list.current = rows.id;
    setActive(0);
    setAnchor(0);
    scroller.current?.scrollTo({ top: 0 });
  }, [rows.id]);

  const activeRow = Math.min(active, Math.max(0, rows.count - 1));
  const move = (to: number, extend: boolean) => {
    const target = Math.max(0, Math.min(rows.count - 1, to));
    setActive(target);
    virtual.scrollToIndex(target);
    if (extend && selection !== undefined) selectRange(anchor, target);
    else setAnchor(target);
  };
  const selectRange = (from: number, to: number) => {
    const ids: string[] = [];
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const row = rows.rowAt(index);
      if (row !== undefined) ids.push(rowId(row));
    }
    selection?.setAll(ids, true);
  };
  const toggleAt = (index: number, extend: boolean) => {
    const row = rows.rowAt(index);
    if (row === undefined || selection === undefined) return;
    setActive(index);
    if (extend) selectRange(anchor, index);
    else {
      selection.toggle(rowId(row));
      setAnchor(index);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowPx) - 1);
    const letters = readPreference('singleKeys') === 'on';
    const key = letters && event.key === 'j' ? 'ArrowDown' : letters && event.key === 'k' ? 'ArrowUp' : event.key;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: activeRow + 1,
      ArrowUp: activeRow - 1,
      PageDown: activeRow + page,
      PageUp: activeRow - page,
      Home: 0,
      End: rows.count - 1,
    };
    const to = steps[key];
    if (to !== undefined) move(to, event.shiftKey);
    else if (key === ' ' && selection !== undefined) toggleAt(activeRow, event.shiftKey);
    else if (key === 'Enter') {
      const row = rows.rowAt(activeRow);
      if (row === undefined || onOpen === undefined) return;
      onOpen(row);
    } else return;
    event.preventDefault();
  };

  useJump(props.jump, (step) => {
    // From outside, the row that stands at first may be one itself.
    const isInside = document.activeElement === scroller.current;
    for (let index = isInside ? activeRow + step : activeRow; index >= 0 && index < rows.count; index += step) {
      const row = rows.rowAt(index);
      if (row === undefined || props.jump?.isTarget(row) !== true) continue;
      scroller.current?.focus();
      move(index, false);
      return;
    }
  });

  const tracks = [...(selection === undefined ? [] : [chooseTrack]), ...columns.map((column) => column.width)].join(
    ' ',
  );
  const loadedIds = () =>
    items.flatMap((item) => {
      const row = rows.rowAt(item.index);
      return row === undefined ? [] : [rowId(row)];
    });
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(rows.total ?? rows.count) + 1}
      aria-colcount={columns.length + (selection === undefined ? 0 : 1)}
      aria-multiselectable={selection === undefined ? undefined : true}
      aria-activedescendant={rows.count > 0 ? `${base}-${activeRow}` : undefined}
      aria-busy={rows.isRefreshing}
      tabIndex={0}
      data-grid=""
      onKeyDown={onKeyDown}
      style={{ maxHeight: props.maxHeight ?? 'max(20rem, calc(100dvh - 15rem))', '--tracks': tracks } as CSSProperties}
      className={clsx(
        'group/grid relative overflow-auto rounded-b-lg focus-visible:-outline-offset-2',
        rows.isRefreshing && 'opacity-60',
      )}
    >
      <div style={isNarrow ? undefined : { minWidth: leastWidth(columns, selection !== undefined) }}>
        <div role="rowgroup" className={clsx('sticky top-0 z-10 bg-surface', isNarrow && 'sr-only')}>
          <div
            role="row"
            aria-rowindex={1}
            className="grid h-8.5 grid-cols-(--tracks) items-center gap-x-3 border-b border-line bg-surface px-3"
          >
            {selection === undefined ? null : (
              <div role="columnheader">
                <input
                  type="checkbox"
                  aria-label="Select the rows in view"
                  checked={items.length > 0 && loadedIds().every((id) => selection.ids.has(id))}
                  onChange={(event) => selection.setAll(loadedIds(), event.target.checked)}
                  className="size-4 align-middle accent-accent-solid"
                />
              </div>
            )}
            {columns.map((column, index) => (
              <HeadCell
                key={column.id}
                column={column}
                hasRoom={isLastNumber(columns, index)}
                order={order}
                onOrder={onOrder}
              />
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows.rowAt(item.index);
            return (
              <GridRow
                key={item.key}
                id={`${base}-${item.index}`}
                row={row}
                index={item.index}
                start={item.start}
                measure={isMeasured ? virtual.measureElement : undefined}
                heightPx={isMeasured ? undefined : rowPx}
                isNarrow={isNarrow}
                isActive={item.index === activeRow}
                isOpen={row !== undefined && props.openId != null && rowId(row) === props.openId}
                columns={columns}
                name={row === undefined ? '' : props.rowName(row)}
                isChosen={row !== undefined && selection?.ids.has(rowId(row)) === true}
                onToggle={selection === undefined ? undefined : (extend) => toggleAt(item.index, extend)}
                onOpen={
                  row === undefined || onOpen === undefined
                    ? undefined
                    : () => {
                        setActive(item.index);
                        onOpen(row);
                      }
                }
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Listens for the letters of `jump` on the whole page, where single letters are on and nothing is being typed. */
function useJump<Row>(jump: DataGridProps<Row>['jump'], go: (step: 1 | -1) => void): void {
  const latest = useRef(go);
  latest.current = go;
  const next = jump?.next;
  const previous = jump?.previous;
  useEffect(() => {
    if (next === undefined) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== next && event.key !== previous) return;
      if (event.ctrlKey || event.metaKey || event.altKey || readPreference('singleKeys') === 'off') return;
      if (isTextTarget(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      latest.current(event.key === next ? 1 : -1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [next, previous]);
}

function HeadCell<Row>({
  column,
  hasRoom,
  order,
  onOrder,
}: {
  readonly column: Column<Row>;
  readonly hasRoom: boolean;
  readonly order: Order | undefined;
  readonly onOrder: ((order: Order) => void) | undefined;
}): ReactNode {
  const { sort } = column;
  const isBy = sort !== undefined && order?.by === sort;
  const Arrow = order?.isDescending === true ? ArrowDown : ArrowUp;
  const className = clsx(
    'flex min-w-0 items-center gap-1 text-xs font-medium text-ink-3',
    column.isNumber === true && ['justify-end text-right', hasRoom && 'pr-3'],
    column.isSticky === true && 'sticky left-0 z-10 -ml-3 self-stretch bg-inherit pl-3',
  );
  if (sort === undefined || onOrder === undefined) {
    return (
      <div role="columnheader" title={column.explains} className={className}>
        <span className="truncate">{column.header}</span>
      </div>
    );
  }
  return (
    <div
      role="columnheader"
      aria-sort={isBy ? (order?.isDescending === true ? 'descending' : 'ascending') : 'none'}
      className={className}
    >
      <button
        type="button"
        title={column.explains}
        onClick={() =>
          onOrder({ by: sort, isDescending: isBy ? order?.isDescending !== true : column.isNumber === true })
        }
        className={clsx(
          '-mx-1 inline-flex h-6 min-w-6 items-center gap-1 rounded px-1 hover:bg-sunken hover:text-ink',
          isBy && 'text-ink',
        )}
      >
        <span className="truncate">{column.header}</span>
        {isBy ? <Arrow aria-hidden className="size-3 shrink-0" /> : null}
      </button>
    </div>
  );
}
