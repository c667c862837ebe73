'use client';

import { useCallback } from 'react';
import type { ApiFault } from '../../client/api-fault.ts';
import type { RowSource } from './row-source.ts';

const nothing = () => undefined;

/** Rows of a list that the agent gives whole. */
export function useArrayRows<Row>(list: {
  /** Changes with the filter and order, where there are any. */
  readonly id?: string;
  readonly rows: readonly Row[] | undefined;
  readonly at: string | undefined;
  readonly fault: ApiFault | undefined;
  readonly retry: () => void;
}): RowSource<Row> {
  const { rows } = list;
  const rowAt = useCallback((index: number) => rows?.[index], [rows]);
  return {
    id: list.id ?? '',
    count: rows?.length ?? 0,
    total: rows?.length,
    rowAt,
    show: nothing,
    at: list.at,
    isLoading: rows === undefined && list.fault === undefined,
    isRefreshing: false,
    fault: list.fault,
    retry: list.retry,
  };
}
