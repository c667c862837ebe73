'use client';

import { liveStore } from './live-store.ts';
import { useStore } from './store.ts';
import { useNow } from './use-now.ts';
import { useStatus } from './use-status.ts';

/** How old what is shown may be before it is called old, in ms: 15 s, or twice the read-back interval where that is more. */
export function freshMsMax(headersSeconds: number): number {
  return Math.max(15_000, headersSeconds * 2_000);
}

/** How old the newest answer and the newest read-back are, on the agent's clock. */
export interface Freshness {
  /** Null: nothing has been seen yet. */
  readonly answerAgeMs: number | null;
  readonly kernelAgeMs: number | null;
  readonly limitMs: number;
  /** Older than the limit: nothing may be green, and no action may be taken on it. */
  readonly isStale: boolean;
}

/** Follows the age of what this tab shows. */
export function useFreshness(): Freshness {
  const status = useStatus();
  const nowMs = useNow();
  const offsetMs = useStore(liveStore, (live) => live.clockOffsetMs);
  const limitMs = freshMsMax(status.data?.headersSeconds ?? 0);
  const ageOf = (at: string | null | undefined) =>
    at === null || at === undefined ? null : Math.max(0, nowMs + offsetMs - Date.parse(at));
  const answerAgeMs = ageOf(status.data?.at);
  const kernelAgeMs = ageOf(status.data?.readAt);
  return { answerAgeMs, kernelAgeMs, limitMs, isStale: answerAgeMs !== null && answerAgeMs > limitMs };
}
