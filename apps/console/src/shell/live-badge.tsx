'use client';

import type { ReactNode } from 'react';
import { liveStore, setPaused } from '../client/live-store.ts';
import { useStore } from '../client/store.ts';
import { useNow } from '../client/use-now.ts';
import { StateMark } from '../ui/state-mark.tsx';

/** Whether what is on the screen follows the host: live, reconnecting, paused, idle. Pressing it pauses and resumes. */
export function LiveBadge(): ReactNode {
  const stream = useStore(liveStore, (live) => live.stream);
  const isPaused = useStore(liveStore, (live) => live.isPaused);
  return (
    <button
      type="button"
      onClick={() => setPaused(!isPaused)}
      title={isPaused ? 'Lists are paused; press to follow the host again' : 'Press to pause every list'}
      className="hit inline-flex items-center rounded-full hover:brightness-95"
    >
      {isPaused ? (
        <StateMark tone="info" sign="stopped" isBadge>
          paused
        </StateMark>
      ) : stream.kind === 'live' ? (
        <StateMark tone="ok" sign="good" isBadge>
          live
        </StateMark>
      ) : stream.kind === 'reconnecting' ? (
        <Reconnecting retryAtMs={stream.retryAtMs} />
      ) : stream.kind === 'connecting' ? (
        <StateMark tone="quiet" sign="running" isBadge>
          connecting
        </StateMark>
      ) : (
        <StateMark tone="quiet" sign="waiting" isBadge>
          {stream.kind === 'idle' ? 'idle' : 'signed out'}
        </StateMark>
      )}
    </button>
  );
}

function Reconnecting({ retryAtMs }: { readonly retryAtMs: number }): ReactNode {
  const nowMs = useNow();
  const seconds = Math.max(0, Math.ceil((retryAtMs - nowMs) / 1_000));
  return (
    <StateMark tone="warn" sign="running" isBadge>
      {seconds === 0 ? 'reconnecting' : `reconnecting in ${seconds} s`}
    </StateMark>
  );
}
