'use client';

import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { WithSide } from './side-panel.tsx';
import type { ModelListState } from './use-model-list.ts';

/** Rows of another kind that the list is narrowed to, by the address: `only profile web`. */
interface Narrowing {
  readonly kind: string;
  readonly value: string | null;
  readonly onClear: () => void;
}

/** A screen of the model: what it is, its objects in a table, and beside them the one that is open. */
export function ModelScreen<Input, Row extends { readonly id: string }>({
  title,
  lead,
  one,
  many,
  columns,
  list,
  view,
  placeholder,
  narrowings = [],
  filters,
  empty,
  panel,
}: {
  readonly title: string;
  readonly lead: string;
  readonly one: string;
  readonly many: string;
  readonly columns: readonly Column<Row>[];
  readonly list: CursorList<Input, Row>;
  readonly view: ModelListState;
  readonly placeholder?: string;
  readonly narrowings?: readonly Narrowing[];
  /** Filters of this screen alone, beside the search box. */
  readonly filters?: ReactNode;
  /** Where objects of this kind come from. */
  readonly empty: string;
  readonly panel: (id: string, onClose: () => void) => ReactNode;
}): ReactNode {
  const { filter, setFilter, order, setOrder, id, setId } = view;
  const rows = useCursorPages(list);
  const narrowed = narrowings.filter(({ value }) => value !== null);
  return (
    <>
      <ScreenHead title={title} lead={lead} />
      <WithSide
        list={
          <ListFrame
            label={title}
            one={one}
            many={many}
            noun="model"
            storageKey={title.toLowerCase()}
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowName={(row) => row.id}
            onOpen={(row) => setId(row.id === id ? null : row.id)}
            openId={id}
            order={order}
            onOrder={setOrder}
            isFiltered={filter !== '' || narrowed.length > 0}
            onClearFilters={() => {
              setFilter('');
              for (const { onClear } of narrowed) onClear();
            }}
            allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
            filters={
              <>
                <SearchBox
                  isMain
                  label={`Filter ${many}`}
                  {...(placeholder === undefined ? {} : { placeholder })}
                  value={filter}
                  onChange={setFilter}
                />
                {narrowed.map(({ kind, value, onClear }) => (
                  <Button key={kind} isSmall onClick={onClear} title={`Show every ${kind} again`}>
                    only {kind} {visibleText(value ?? '')} ×
                  </Button>
                ))}
                {filters}
              </>
            }
            empty={<EmptyState title={`The model has no ${one}`}>{empty}</EmptyState>}
          />
        }
        side={id === null ? null : panel(id, () => setId(null))}
      />
    </>
  );
}
