'use client';

import type { ReactNode } from 'react';
import type { ApiFault } from '../client/api-fault.ts';
import { liveStore } from '../client/live-store.ts';
import { useStore } from '../client/store.ts';
import { useFreshness } from '../client/use-freshness.ts';
import { useNow } from '../client/use-now.ts';
import { useStatus } from '../client/use-status.ts';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { Note } from '../ui/note.tsx';
import { loginHref } from './login-href.ts';

const quietMs = 3_000;
const skewMsShown = 5_000;

/** After 3 s without an answer: what is not answering, how old the screen is, and that nothing can be done meanwhile. */
export function ContactBanner(): ReactNode {
  const nowMs = useNow();
  const failingSinceMs = useStore(liveStore, (live) => live.failingSinceMs);
  const askedAtMs = useStore(liveStore, (live) => live.askedAtMs);
  const fault = useStore(liveStore, (live) => live.fault);
  const offsetMs = useStore(liveStore, (live) => live.clockOffsetMs);
  const status = useStatus();
  const { answerAgeMs } = useFreshness();
  const sinceMs = failingSinceMs ?? askedAtMs;
  const isLost = sinceMs !== null && nowMs - sinceMs >= quietMs;
  if (isLost) {
    const { title, remedy } = wordsFor(fault, status.data?.host);
    return (
      <div className="px-4 pt-3 sm:px-6">
        <Note
          isAlert
          tone={fault?.code === 'unauthenticated' ? 'info' : 'bad'}
          title={title}
          action={
            fault?.code === 'unauthenticated' ? (
              <Button isSmall onClick={() => window.location.assign(loginHref())}>
                Log in
              </Button>
            ) : (
              <Button isSmall onClick={() => void status.refetch()}>
                Ask again now
              </Button>
            )
          }
        >
          {answerAgeMs === null
            ? 'Nothing has been seen yet. '
            : `Everything on this page is as it was ${duration(answerAgeMs)} ago, and acts are off until it answers. `}
          {remedy}
        </Note>
      </div>
    );
  }
  if (Math.abs(offsetMs) >= skewMsShown) {
    return (
      <div className="px-4 pt-3 sm:px-6">
        <Note
          tone="quiet"
          title={`This browser's clock is ${duration(Math.abs(offsetMs))} ${offsetMs > 0 ? 'behind' : 'ahead of'} the host's`}
        >
          Ages on these pages are counted on the host's clock.
        </Note>
      </div>
    );
  }
  return null;
}

function wordsFor(
  fault: ApiFault | null,
  host: string | undefined,
): { readonly title: string; readonly remedy: string } {
  const agent = host === undefined ? 'The agent' : `The agent of ${host}`;
  switch (fault?.code) {
    case 'unauthenticated':
      return { title: 'This session has ended', remedy: 'Log in again; this page stays as it is.' };
    case 'gateway-unreachable':
      return { title: 'The gateway does not answer', remedy: fault.remedy ?? '' };
    case 'agent-unreachable':
      return { title: `${agent} does not answer`, remedy: fault.remedy ?? 'Its sets stay in the kernel as they are.' };
    case undefined:
      return { title: `${agent} takes long to answer`, remedy: '' };
    default:
      return { title: fault?.message ?? `${agent} refuses`, remedy: fault?.remedy ?? '' };
  }
}
