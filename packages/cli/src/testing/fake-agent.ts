import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AgentEvent,
  ApiError,
  type ApiErrorBody,
  type Caller,
  type ErrorCode,
  type Handlers,
  router,
  type VerbName,
  verbs,
} from '@setkeeper/api';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';

/** What a fake agent answers; a verb that is not given is refused as `not-found`. */
export interface FakeAgentOptions {
  readonly handlers?: Partial<Handlers>;
  readonly caller?: Caller | null;
  readonly events?: (lastEventId: string | undefined, signal: AbortSignal | undefined) => AsyncIterable<AgentEvent>;
}

/** The API's real router on a unix socket, with handlers of a test behind it. */
export interface FakeAgent {
  readonly socket: string;
  /** What was asked, in order. */
  readonly asked: readonly { readonly verb: string; readonly input: unknown }[];
  readonly headers: readonly Readonly<Record<string, string | string[] | undefined>>[];
  close(): Promise<void>;
}

const httpStatusOf = (code: ErrorCode): number =>
  code === 'not-permitted' ? 403 : code === 'unauthenticated' ? 401 : 400;

/** Starts a fake agent; close it after the test. */
export async function startFakeAgent(options: FakeAgentOptions = {}): Promise<FakeAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-cli-'));
  const socket = join(folder, 'a.sock');
  const asked: { verb: string; input: unknown }[] = [];
  const headers: Readonly<Record<string, string | string[] | undefined>>[] = [];
  const caller: Caller | null =
    options.caller === undefined
      ? { subject: 'uid:0', name: 'root', role: 'admin', via: 'admin-socket' }
      : options.caller;
  const handlers = Object.fromEntries(
    (Object.keys(verbs) as VerbName[]).map((name) => [
      name,
      (input: unknown, call: unknown) => {
        asked.push({ verb: name, input });
        const handler = options.handlers?.[name] as ((input: unknown, call: unknown) => unknown) | undefined;
        if (handler === undefined) throw new ApiError('not-found', `the fake agent has no ${name}`);
        return handler(input, call);
      },
    ]),
  ) as unknown as Handlers;
  let count = 0;
  const handle = createHTTPHandler({
    router,
    basePath: '/api/trpc/',
    allowMethodOverride: true,
    createContext: () => ({
      caller,
      requestId: `r${++count}`,
      handlers,
      watch: (lastEventId, call) => options.events?.(lastEventId, call.signal) ?? silence(call.signal),
      audit: { begin: () => ({ finish: async () => {} }), refuse: () => {} },
    }),
    responseMeta: ({ errors }) => {
      const data = errors[0] === undefined ? undefined : (errors[0].cause as ApiErrorBody | undefined);
      return errors.length === 0 ? {} : { status: httpStatusOf(data?.code ?? 'internal') };
    },
  });
  const server = createServer((request, response) => {
    headers.push(request.headers);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    asked,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* silence(signal: AbortSignal | undefined): AsyncGenerator<AgentEvent> {
  await new Promise<void>((resolve) => {
    if (signal === undefined || signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
