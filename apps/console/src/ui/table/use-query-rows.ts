'use client';

import { faultOf } from '../../client/api-fault.ts';
import { useAnsweredAt } from '../../client/use-answered-at.ts';
import type { RowSource } from './row-source.ts';
import { useArrayRows } from './use-array-rows.ts';

/** Rows of a query that gives the list whole; `rows` are those of its answer that fit the filter, in their order. */
export function useQueryRows<Row>(
  query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly refetch: () => Promise<unknown>;
  },
  rows: readonly Row[] | undefined,
  id = '',
): RowSource<Row> {
  const at = useAnsweredAt(query);
  return useArrayRows({
    id,
    rows: query.data === undefined ? undefined : rows,
    at,
    fault: query.error === null ? undefined : faultOf(query.error),
    retry: () => void query.refetch(),
  });
}
