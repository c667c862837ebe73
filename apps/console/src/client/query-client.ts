import { QueryClient } from '@tanstack/react-query';
import { faultOf } from './api-fault.ts';

const oncePerFault = new Set([
  'unauthenticated',
  'not-permitted',
  'not-found',
  'bad-input',
  'observe-mode',
  'too-large',
]);

/**
 * The tab's cache of server state. Events of the agent say when something is stale, so nothing is fetched again
 * merely because a window got the focus; pages that left the screen are dropped after half a minute, which bounds
 * the heap on a set of a million members.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && !oncePerFault.has(faultOf(error).code),
      retryDelay: 1_000,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
