import type { AppRouter } from '@setkeeper/api';
import { createTRPCClient, type HTTPLinkOptions, httpLink, splitLink } from '@trpc/client';
import type { AnyClientTypes } from '@trpc/server/unstable-core-do-not-import';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { apiAddress } from './api-address.ts';
import { queryClient } from './query-client.ts';

const url = apiAddress(typeof window === 'undefined' ? '' : window.location.search);
const requestSecondsMax = 30;
/** A longer input goes in the body: proxies refuse long addresses, and a plan may name 100,000 groups. */
const inputInAddressBytesMax = 1_500;

/** One request of the tRPC link, which gives up after 30 s. */
const fetchWithLimit: NonNullable<HTTPLinkOptions<AnyClientTypes>['fetch']> = (input, init) => {
  const limit = AbortSignal.timeout(requestSecondsMax * 1_000);
  return fetch(typeof input === 'string' || input instanceof URL ? input : input.url, {
    credentials: 'same-origin',
    signal: init?.signal == null ? limit : AbortSignal.any([limit, init.signal]),
    ...(init?.method === undefined ? {} : { method: init.method }),
    ...(typeof init?.body === 'string' ? { body: init.body } : {}),
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  });
};

/** The agent's API as this tab calls it; one request a call, so that one slow verb delays no other. */
export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (op) => op.type === 'query' && JSON.stringify(op.input ?? null).length > inputInAddressBytesMax,
      true: httpLink<AppRouter>({ url, fetch: fetchWithLimit, methodOverride: 'POST' }),
      false: httpLink<AppRouter>({ url, fetch: fetchWithLimit }),
    }),
  ],
});

/** Query and mutation options for react-query, one a verb: `api.sets.list.queryOptions(...)`. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

/** The address of the event stream. */
export const eventsUrl = `${url}/events.watch`;
