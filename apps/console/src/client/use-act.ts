'use client';

import type { VerbName } from '@setkeeper/api';
import { useQuery } from '@tanstack/react-query';
import { duration } from '../ui/duration.ts';
import { api } from './api.ts';
import type { Allowed } from './api-types.ts';
import { useFreshness } from './use-freshness.ts';
import { useStatus } from './use-status.ts';

/** Whether an act may be offered now. */
export interface Act {
  /** The role may never do it, or this agent only observes: the button is not there. */
  readonly isHidden: boolean;
  /** It may be done in general but not now, and why. */
  readonly blockedBecause: string | undefined;
}

/**
 * Whether a verb may be offered: by the caller's role as the agent sees it, by what the agent says of the object, and
 * by the age of what is on the screen. The agent decides again when it is asked.
 */
export function useAct(verb: VerbName, allowed?: Allowed): Act {
  const session = useQuery(
    api.session.get.queryOptions(undefined, { staleTime: 60_000, gcTime: Number.POSITIVE_INFINITY }),
  );
  const status = useStatus();
  const freshness = useFreshness();
  const mayAsk = session.data?.verbs[verb];
  const isObserving = status.data?.mode === 'observe';
  const ofObject = allowed?.[verb];
  if (mayAsk !== true || isObserving) return { isHidden: true, blockedBecause: undefined };
  if (ofObject !== undefined && !ofObject.allowed) {
    return { isHidden: false, blockedBecause: ofObject.reason ?? 'The agent does not allow this now' };
  }
  if (freshness.isStale) {
    return { isHidden: false, blockedBecause: `What is shown is ${duration(freshness.answerAgeMs ?? 0)} old` };
  }
  return { isHidden: false, blockedBecause: undefined };
}
