'use client';

import { liveStore } from './live-store.ts';
import { useStore } from './store.ts';

/** When a query was last answered, on the agent's clock, as every other time on the screen; undefined before the first answer. */
export function useAnsweredAt(query: { readonly dataUpdatedAt: number }): string | undefined {
  const offsetMs = useStore(liveStore, (live) => live.clockOffsetMs);
  return query.dataUpdatedAt === 0 ? undefined : new Date(query.dataUpdatedAt + offsetMs).toISOString();
}
