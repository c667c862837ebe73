'use client';

import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { noPages, type PageMarks, pageOfRow, rowsKnown, withPage } from './page-marks.ts';
import type { RowSource } from './row-source.ts';

/** One answer of a list verb. */
export interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
  readonly at: string;
}

/** Which list to read. `inputFor` makes the verb's input for a page; everything else in it is the filter and sort. */
export interface CursorList<Input, Row> {
  readonly inputFor: (page: { readonly limit: number; readonly cursor?: string }) => Input;
  readonly keyFor: (input: Input) => QueryKey;
  readonly ask: (input: Input, options: { readonly signal: AbortSignal }) => Promise<PageOf<Row>>;
  readonly limit?: number;
  readonly isEnabled?: boolean;
}

interface Shown {
  readonly id: string;
  readonly marks: PageMarks;
  readonly firstPage: number;
  readonly lastPage: number;
}

/**
 * Rows of a list read by cursor. Only the pages in view are kept as queries: the others leave the cache after half a
 * minute, so scrolling through a million rows keeps a bounded heap, and an event refreshes only what is on the screen.
 */
export function useCursorPages<Input, Row>(list: CursorList<Input, Row>): RowSource<Row> {
  const limit = list.limit ?? 200;
  const id = JSON.stringify(list.keyFor(list.inputFor({ limit })));
  const [shown, setShown] = useState<Shown>(() => ({ id, marks: noPages(limit), firstPage: 0, lastPage: 0 }));
  const now = shown.id === id ? shown : { id, marks: noPages(limit), firstPage: 0, lastPage: 0 };
  if (now !== shown) setShown(now);

  const wanted = now.marks.pages.slice(now.firstPage, now.lastPage + 1);
  const results = useQueries({
    queries: wanted.map((mark) => {
      const input = list.inputFor(mark.cursor === undefined ? { limit } : { limit, cursor: mark.cursor });
      return {
        queryKey: list.keyFor(input),
        queryFn: ({ signal }: { signal: AbortSignal }) => list.ask(input, { signal }),
        enabled: list.isEnabled ?? true,
      };
    }),
  });

  useEffect(() => {
    setShown((current) => {
      if (current.id !== id) return current;
      let marks = current.marks;
      for (const [offset, result] of results.entries()) {
        if (result.data === undefined) continue;
        const { items, total, nextCursor } = result.data;
        marks = withPage(marks, now.firstPage + offset, { count: items.length, total, nextCursor, limit });
      }
      return marks === current.marks ? current : { ...current, marks };
    });
  });

  const show = useCallback((first: number, last: number) => {
    setShown((current) => {
      const firstPage = pageOfRow(current.marks, first).page;
      const lastPage = pageOfRow(current.marks, last).page;
      return firstPage === current.firstPage && lastPage === current.lastPage
        ? current
        : { ...current, firstPage, lastPage };
    });
  }, []);

  const first = results[0]?.data;
  const before = useRef<PageOf<Row> | undefined>(undefined);
  useEffect(() => {
    if (first !== undefined) before.current = first;
  }, [first]);
  const hasRows = results.some((result) => result.data !== undefined) || now.firstPage > 0;
  const standIn = hasRows ? undefined : before.current;
  const failed = results.find((result) => result.error !== null);

  return {
    id,
    count: standIn === undefined ? (hasRows ? rowsKnown(now.marks) : 0) : standIn.items.length,
    total: now.marks.total ?? standIn?.total,
    rowAt: (index) => {
      if (standIn !== undefined) return standIn.items[index];
      const { page, start } = pageOfRow(now.marks, index);
      return results[page - now.firstPage]?.data?.items[index - start];
    },
    show,
    at: results.find((result) => result.data !== undefined)?.data?.at ?? standIn?.at,
    isLoading: !hasRows && standIn === undefined && failed === undefined,
    isRefreshing: standIn !== undefined,
    fault: failed === undefined ? undefined : faultOf(failed.error),
    retry: () => {
      for (const result of results) void result.refetch();
    },
  };
}
