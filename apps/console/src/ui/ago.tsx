'use client';

import type { ReactNode } from 'react';
import { liveStore } from '../client/live-store.ts';
import { usePreference } from '../client/preferences.ts';
import { useStore } from '../client/store.ts';
import { useNow } from '../client/use-now.ts';
import { dateTime } from './clock-time.ts';
import { duration } from './duration.ts';

/** How long ago something was, on the agent's clock; the exact time on hover. Null shows as a dash. */
export function Ago({
  at,
  never = '–',
}: {
  readonly at: string | null | undefined;
  readonly never?: string;
}): ReactNode {
  const nowMs = useNow();
  const offsetMs = useStore(liveStore, (live) => live.clockOffsetMs);
  const [clock] = usePreference('clock');
  if (at === null || at === undefined) return <span className="text-ink-3">{never}</span>;
  const ms = Date.parse(at);
  const agoMs = nowMs + offsetMs - ms;
  return (
    <time dateTime={at} title={`${at} (${dateTime(ms, clock)})`} className="whitespace-nowrap">
      {agoMs < -2_000 ? `in ${duration(-agoMs)}` : agoMs < 1_000 ? 'now' : `${duration(agoMs)} ago`}
    </time>
  );
}

/** A point in time to the second, in UTC or local as chosen; how long ago on hover. */
export function At({ at }: { readonly at: string | null | undefined }): ReactNode {
  const [clock] = usePreference('clock');
  if (at === null || at === undefined) return <span className="text-ink-3">–</span>;
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {dateTime(Date.parse(at), clock)}
    </time>
  );
}
