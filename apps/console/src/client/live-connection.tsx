'use client';

import { useEffect, useRef } from 'react';
import { api, eventsUrl } from './api.ts';
import { EventStream } from './event-stream.ts';
import { sessionKey, useGatewaySession } from './gateway-session.ts';
import { InvalidationGate } from './invalidation.ts';
import { liveStore, noteMissed, noteProgress } from './live-store.ts';
import { nounsOf } from './nouns.ts';
import { queryClient } from './query-client.ts';

const restAfterHiddenMs = 45_000;

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/**
 * Opens the tab's event stream while this component is mounted. A hidden tab rests after 45 s: a browser has six
 * connections a server over HTTP/1.1, and six forgotten tabs must not use them up.
 */
export function LiveConnection(): null {
  const running = useRef<EventStream | null>(null);
  const name = useGatewaySession().data?.name ?? null;
  useEffect(() => {
    if (name !== null && liveStore.get().stream.kind === 'signed-out') running.current?.start();
  }, [name]);
  useEffect(() => {
    const gate = new InvalidationGate({
      nowMs: Date.now,
      after,
      refresh: (noun) => void queryClient.invalidateQueries(api[noun].pathFilter()),
    });
    const stream = new EventStream({
      url: eventsUrl,
      fetch: window.fetch.bind(window),
      nowMs: Date.now,
      random: Math.random,
      after,
      onState: (state) => {
        liveStore.set((now) => ({ ...now, stream: state }));
        if (state.kind === 'reconnecting') gate.touch(['status']);
        if (state.kind === 'signed-out') void queryClient.invalidateQueries({ queryKey: sessionKey });
      },
      onEvent: (event) => {
        noteProgress(event);
        const nouns = nounsOf(event.type);
        if (!liveStore.get().isPaused) gate.touch(nouns);
        else {
          noteMissed(nouns);
          gate.touch(['status']);
        }
      },
    });
    running.current = stream;
    let cancelRest: (() => void) | undefined;
    const onVisibility = () => {
      cancelRest?.();
      if (document.visibilityState === 'hidden') cancelRest = after(restAfterHiddenMs, () => stream.rest());
      else if (liveStore.get().stream.kind === 'idle') stream.start();
    };
    const onOnline = () => stream.start();
    stream.start();
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', onOnline);
    const unfollow = followResume(() => gate.touch(nounsOf('reset')));
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', onOnline);
      unfollow();
      cancelRest?.();
      gate.stop();
      stream.rest();
    };
  }, []);
  return null;
}

function followResume(then: () => void): () => void {
  let wasPaused = liveStore.get().isPaused;
  return liveStore.subscribe(() => {
    const { isPaused } = liveStore.get();
    if (wasPaused && !isPaused) then();
    wasPaused = isPaused;
  });
}
