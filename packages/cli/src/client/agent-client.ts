import type { AgentEvent, AppRouter } from '@setkeeper/api';
import { createTRPCClient, httpLink, splitLink, type TRPCClient } from '@trpc/client';
import { Agent, fetch as undiciFetch } from 'undici';
import { type AgentTarget, trpcAddress } from './agent-target.ts';
import { watchEvents } from './event-stream.ts';

/** The verbs, each as a typed call. A call throws TRPCClientError: see wire-failure. */
export type Api = TRPCClient<AppRouter>;

/** A connection to one agent, direct or through a gateway. */
export interface AgentClient {
  readonly target: AgentTarget;
  readonly api: Api;
  /** Events after `lastEventId`, until the signal ends or the agent ends the stream; throws when it cannot be opened. */
  watch(o: { readonly lastEventId?: string; readonly signal: AbortSignal }): AsyncIterable<AgentEvent>;
  /** Gives the connections back, so that the process can end. */
  close(): Promise<void>;
}

/** Queries longer than this go in a body: a request line has a limit. */
const urlBytesMax = 6000;

/** Opens nothing yet: the first call connects. `claimed` is the login user, recorded beside what the admin socket does. */
export function createAgentClient(target: AgentTarget, claimed: string | undefined): AgentClient {
  // An answer may take as long as its run; the agent's own limits end it, or Ctrl-C.
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: target.via === 'socket' ? { socketPath: target.path } : {},
  });
  const url = trpcAddress(target);
  const headers: Record<string, string> = {
    'user-agent': 'setkeeper-cli',
    ...(target.via === 'socket' && claimed !== undefined ? { 'x-setkeeper-claimed': encodeURIComponent(claimed) } : {}),
    ...(target.via === 'gateway' && target.token !== undefined ? { authorization: `Bearer ${target.token}` } : {}),
  };
  const fetchThrough = (input: unknown, init: unknown): Promise<Response> =>
    undiciFetch(input as string, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
  const link = { url, headers, fetch: fetchThrough };
  return {
    target,
    api: createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: (operation) =>
            operation.type === 'query' && JSON.stringify(operation.input ?? null).length > urlBytesMax,
          true: httpLink({ ...link, methodOverride: 'POST' }),
          false: httpLink(link),
        }),
      ],
    }),
    watch: (o) => watchEvents({ url: `${url}/events.watch`, headers, dispatcher, ...o }),
    close: () => dispatcher.destroy(),
  };
}
