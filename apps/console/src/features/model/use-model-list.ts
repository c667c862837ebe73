'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { type ListState, useListState } from '../../ui/table/use-list-state.ts';

/** A model list's filter and order, and the row that is open beside it; all in the URL. */
export interface ModelListState extends ListState {
  readonly id: string | null;
  readonly setId: (id: string | null) => void;
}

/** Keeps a model list's view in the URL. */
export function useModelList(by: string): ModelListState {
  const state = useListState({ by, isDescending: false });
  const [id, setId] = useQueryState('id', parseAsString);
  return { ...state, id, setId: (next) => void setId(next) };
}
