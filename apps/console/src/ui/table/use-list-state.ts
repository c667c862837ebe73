'use client';

import { parseAsBoolean, parseAsString, useQueryState } from 'nuqs';
import { useCallback } from 'react';
import type { Order } from './column.ts';

/** The text filter and order of a list, both in the URL. */
export interface ListState {
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  readonly order: Order;
  readonly setOrder: (order: Order) => void;
}

/** Keeps a list's filter (`q`) and order (`sort`, `desc`) in the URL; `first` is the order without any. */
export function useListState(first: Order): ListState {
  const [filter, setFilterText] = useQueryState('q', parseAsString.withDefault(''));
  const [by, setBy] = useQueryState('sort', parseAsString.withDefault(first.by));
  const [isDescending, setDescending] = useQueryState('desc', parseAsBoolean.withDefault(first.isDescending));
  const setFilter = useCallback((text: string) => void setFilterText(text === '' ? null : text), [setFilterText]);
  const setOrder = useCallback(
    (order: Order) => {
      void setBy(order.by);
      void setDescending(order.isDescending);
    },
    [setBy, setDescending],
  );
  return { filter, setFilter, order: { by, isDescending }, setOrder };
}

/** One of a closed list of words in the URL; `null` when it is not there or unknown. */
export function useWord<Word extends string>(
  key: string,
  words: readonly Word[],
): readonly [Word | null, (word: Word | null) => void] {
  const [text, setText] = useQueryState(key, parseAsString);
  const set = useCallback((word: Word | null) => void setText(word), [setText]);
  return [words.find((word) => word === text) ?? null, set];
}

/** The input of a list verb for an order, where the verb knows that column. */
export function sortInput<By extends string>(
  order: Order,
  known: readonly By[],
): { readonly sort?: { readonly by: By; readonly desc: boolean } } {
  const by = known.find((one) => one === order.by);
  return by === undefined ? {} : { sort: { by, desc: order.isDescending } };
}

/** The input of a text filter, left out while empty. */
export function filterInput(filter: string): { readonly filter?: string } {
  return filter === '' ? {} : { filter };
}
