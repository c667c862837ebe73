'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api, client } from './api.ts';
import { faultOf } from './api-fault.ts';
import type { Status } from './api-types.ts';
import { liveStore, noteAnswered, noteAsked, noteFailed } from './live-store.ts';

const everyMs = 5_000;
const everyMsWhileFailing = 2_000;

/** Asks for the status and notes whether the agent answered, and how far its clock is off. */
async function askStatus(signal: AbortSignal): Promise<Status> {
  const askedMs = Date.now();
  noteAsked(askedMs);
  try {
    const status = await client.status.get.query(undefined, { signal });
    noteAnswered(Date.now(), askedMs, status.at);
    return status;
  } catch (error) {
    if (!signal.aborted) noteFailed(Date.now(), faultOf(error));
    throw error;
  }
}

/**
 * The agent's status, asked every 5 s while the tab is visible: it doubles as the tab's heartbeat, so the age that a
 * screen shows never depends on the event stream alone.
 */
export function useStatus(): UseQueryResult<Status> {
  return useQuery({
    queryKey: api.status.get.queryKey(),
    queryFn: ({ signal }) => askStatus(signal),
    refetchInterval: () => (liveStore.get().failingSinceMs === null ? everyMs : everyMsWhileFailing),
    refetchOnWindowFocus: true,
    retry: false,
    staleTime: 2_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
