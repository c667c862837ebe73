// biome-ignore-all lint/a11y/useSemanticElements: a virtual grid lays rows out by itself, which table elements forbid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop and names its active row
'use client';

import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { visibleText } from '../visible-text.ts';
import { type Column, isLastNumber } from './column.ts';

interface GridRowProps<Row> {
  readonly id: string;
  /** Undefined while its page is on the way. */
  readonly row: Row | undefined;
  readonly index: number;
  readonly start: number;
  readonly heightPx: number | undefined;
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
  readonly isNarrow: boolean;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly onToggle: ((extend: boolean) => void) | undefined;
  readonly onOpen: (() => void) | undefined;
}

/** One row of a grid: a line of cells, or a card on a narrow screen. */
export function GridRow<Row>(props: GridRowProps<Row>): ReactNode {
  const { row, isNarrow, onOpen } = props;
  const style: CSSProperties = {
    transform: `translateY(${props.start}px)`,
    ...(props.heightPx === undefined ? {} : { height: props.heightPx }),
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active row
    <div
      ref={props.measure}
      id={props.id}
      role="row"
      data-index={props.index}
      aria-rowindex={props.index + 2}
      aria-selected={props.onToggle === undefined ? undefined : props.isChosen}
      onClick={(event) => {
        const target = event.target;
        if (target instanceof Element && target.closest('a, button, input, label') !== null) return;
        if (window.getSelection()?.type === 'Range') return;
        onOpen?.();
      }}
      style={style}
      className={clsx(
        'absolute top-0 left-0 w-full border-b border-line px-3',
        isNarrow ? 'flex flex-col gap-1 py-2.5' : 'grid grid-cols-(--tracks) gap-x-3',
        !isNarrow && (props.heightPx === undefined ? 'items-baseline py-2' : 'items-center'),
        props.isOpen
          ? 'bg-accent-tint'
          : props.isChosen
            ? 'bg-accent-tint'
            : ['bg-surface', onOpen !== undefined && 'hover:bg-sunken'],
        onOpen !== undefined && 'cursor-pointer',
        props.isActive && 'group-focus-visible/grid:inset-ring-2 group-focus-visible/grid:inset-ring-accent',
      )}
    >
      {row === undefined ? (
        <div role="gridcell" className="col-span-full">
          <span className="skeleton block h-3 w-1/3" />
          <span className="sr-only">on its way</span>
        </div>
      ) : isNarrow ? (
        <CardCells {...props} row={row} />
      ) : (
        <LineCells {...props} row={row} />
      )}
    </div>
  );
}

function Choose<Row>({
  name,
  isChosen,
  onToggle,
}: Pick<GridRowProps<Row>, 'name' | 'isChosen' | 'onToggle'>): ReactNode {
  if (onToggle === undefined) return null;
  return (
    <div role="gridcell" className="flex items-center">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={isChosen}
        tabIndex={-1}
        onChange={() => undefined}
        onClick={(event) => onToggle(event.shiftKey)}
        className="size-4 accent-accent-solid"
      />
    </div>
  );
}

function LineCells<Row>(props: GridRowProps<Row> & { readonly row: Row }): ReactNode {
  return (
    <>
      <Choose {...props} />
      {props.columns.map((column, index) => (
        <div
          key={column.id}
          role="gridcell"
          title={props.heightPx === undefined ? undefined : wholeText(column, props.row)}
          className={clsx(
            'min-w-0',
            props.heightPx !== undefined && 'truncate',
            column.isSticky === true && 'sticky left-0 z-[1] -ml-3 content-center self-stretch bg-inherit pl-3',
            column.isNumber === true && ['text-right', isLastNumber(props.columns, index) && 'pr-3'],
          )}
        >
          {column.cell(props.row)}
        </div>
      ))}
    </>
  );
}

/** What a cell that may be cut says in full, on hover. A number is never cut. */
function wholeText<Row>(column: Column<Row>, row: Row): string | undefined {
  if (column.isNumber === true) return undefined;
  const text = column.plain?.(row);
  return typeof text === 'string' && text !== '' ? visibleText(text) : undefined;
}

function CardCells<Row>(props: GridRowProps<Row> & { readonly row: Row }): ReactNode {
  const titles = props.columns.filter((column) => column.narrow === 'title');
  const lines = props.columns.filter((column) => column.narrow === 'line' && !isBlank(column.plain?.(props.row)));
  return (
    <>
      <div role="presentation" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Choose {...props} />
        {titles.map((column) => (
          <div key={column.id} role="gridcell" className="min-w-0 break-words">
            {column.cell(props.row)}
          </div>
        ))}
      </div>
      <div role="presentation" className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
        {lines.map((column) => (
          <div key={column.id} role="gridcell" className="flex min-w-0 max-w-full flex-wrap items-baseline gap-x-1.5">
            <span className="text-ink-3">{column.header}</span>
            <span className="min-w-0 break-words">{column.cell(props.row)}</span>
          </div>
        ))}
      </div>
    </>
  );
}

/** A card says nothing of what a row does not have. */
const isBlank = (plain: string | number | null | undefined): boolean => plain === null || plain === '';
