import { useSyncExternalStore } from 'react';

/** A value outside React that components can follow. */
export interface Store<State> {
  readonly get: () => State;
  readonly set: (next: State | ((now: State) => State)) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Makes a store; setting an equal value tells nobody. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (next) => {
      const value = typeof next === 'function' ? (next as (now: State) => State)(state) : next;
      if (Object.is(value, state)) return;
      state = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Follows the part of a store that `select` picks; it must return the same value for the same state. */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
