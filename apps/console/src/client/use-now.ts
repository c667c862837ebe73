'use client';

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = 0;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = setInterval(() => {
      nowMs = Date.now();
      for (const tell of listeners) tell();
    }, 1_000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

const read = () => (nowMs === 0 ? Date.now() : nowMs);

/** The time, moving on once a second for every age on the page together. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, cachedRead, () => 0);
}

function cachedRead(): number {
  if (nowMs === 0) nowMs = read();
  return nowMs;
}
