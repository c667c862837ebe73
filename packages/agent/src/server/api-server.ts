import { randomUUID } from 'node:crypto';
import {
  AccountEvents,
  type AgentEvent,
  type ApiContext,
  ApiError,
  accountEventsPath,
  type Call,
  type Caller,
  claimedHeader,
  gatewaySubject,
  type Handlers,
  leasePath,
  router,
  verbs,
  wireError,
} from '@setkeeper/api';
import { type FastifyHandlerOptions, fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { z } from 'zod';
import type { AgentAudit } from '../audit/create-audit-trail.ts';
import type { EventStream } from '../events/event-stream.ts';
import { asApiError, httpErrorBody } from './http-error.ts';
import type { Identity, IdentityVerifier } from './identity-verifier.ts';
import type { Leases } from './leases.ts';

/** Who may come in by a socket: its owner alone, or whoever a signed statement names. */
export type Door =
  | { readonly kind: 'admin' }
  | { readonly kind: 'group'; readonly identities: IdentityVerifier; readonly leases: Leases };

export interface ApiServerParameters {
  readonly door: Door;
  readonly handlers: Handlers;
  readonly audit: AgentAudit;
  readonly events: EventStream;
  readonly logger: FastifyBaseLogger;
}

/** Named limits of what a caller can make large. */
const BODY_BYTES_MAX = 1024 * 1024;
const DOCUMENT_BYTES_MAX = 17 * 1024 * 1024;
const HEADER_BYTES_MAX = 32 * 1024;
const CALLS_A_BATCH_MAX = 50;
const CONNECTIONS_MAX = 1_024;
const REQUEST_MS_MAX = 30_000;
const HEADERS_MS_MAX = 10_000;

/** What every request is taken to have asked for: on a unix socket no name means anything. */
const HOST_HEADER = 'agent';

/** Verbs that take whole documents. */
const DOCUMENT_VERBS = ['model.put', 'model.validate'];

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
    caller: Caller | null;
  }
}

/**
 * The agent's HTTP server for one socket; not listening yet. It knows who asks before it reads a body, speaks JSON only
 * and serves the router, the lease of event streams and nothing else.
 */
export function createApiServer(parameters: ApiServerParameters): FastifyInstance {
  const { door, logger } = parameters;
  const server = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (_error, request, reply) => {
      refuse(reply, new ApiError('bad-input', 'The address is malformed.'), request.id);
    },
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    http: { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: HEADERS_MS_MAX },
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  server.server.maxConnections = CONNECTIONS_MAX;
  server.decorateRequest('identity', null);
  server.decorateRequest('caller', null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  server.setErrorHandler((error: Error, request, reply) => {
    const known = asApiError(error);
    if (known.code === 'internal') request.log.error({ err: error }, 'a request failed');
    refuse(reply, known, request.id, 'statusCode' in error && error.statusCode === 415 ? 415 : undefined);
  });
  server.setNotFoundHandler((request, reply) => {
    refuse(reply, new ApiError('not-found', 'There is nothing at this address.'), request.id);
  });

  server.addHook('onRequest', async (request) => {
    // Nothing is decided by it, and tRPC makes an address of it: what a caller made up must not make that fail.
    request.raw.headers.host = HOST_HEADER;
    if (door.kind === 'admin') {
      request.caller = rootCaller(request.headers[claimedHeader]);
      return;
    }
    try {
      request.identity = await door.identities.prove(request.headers.authorization);
      request.caller = request.identity.caller;
    } catch (error) {
      if (error instanceof ApiError) auditRefusal(parameters.audit, request, error);
      throw error;
    }
  });
  server.addHook('preHandler', async (request) => {
    if (door.kind === 'admin' || request.identity === null || request.method === 'GET') return;
    try {
      door.identities.bind(request.identity, {
        method: request.method,
        path: request.raw.url ?? '',
        body: typeof request.body === 'string' ? request.body : '',
      });
    } catch (error) {
      if (error instanceof ApiError) auditRefusal(parameters.audit, request, error);
      throw error;
    }
  });

  const serve = async (request: FastifyRequest<{ Params: { path: string } }>, reply: FastifyReply): Promise<void> => {
    await fastifyRequestHandler({
      ...trpcOptions(parameters),
      req: request,
      res: reply,
      path: request.params.path,
    });
  };
  for (const verb of DOCUMENT_VERBS)
    server.post(`/api/trpc/${verb}`, { bodyLimit: DOCUMENT_BYTES_MAX }, (request, reply) =>
      fastifyRequestHandler({ ...trpcOptions(parameters), req: request, res: reply, path: verb }),
    );
  server.route({ method: ['GET', 'POST'], url: '/api/trpc/:path', handler: serve });

  if (door.kind === 'group')
    server.post(leasePath, async (request) => {
      if (request.identity === null) throw new ApiError('unauthenticated', 'This request carries no identity.');
      const { streams, until } = door.leases.renew(request.identity);
      return { streams, until: new Date(until).toISOString() };
    });
  if (door.kind === 'group')
    server.post(accountEventsPath, async ({ identity, body }) => {
      const { events } = accountEventsOf(identity, body);
      await Promise.all(events.map((event) => parameters.audit.account(event, identity?.kid ?? '-')));
      return { taken: events.length };
    });
  return server;
}

/** What a gateway reports. Only it speaks for itself: a statement for a user, however mighty, is refused. Throws ApiError. */
function accountEventsOf(identity: Identity | null, body: unknown): z.output<typeof AccountEvents> {
  if (identity?.claims.sub !== gatewaySubject)
    throw new ApiError('not-permitted', 'Only a gateway reports what happened to its accounts.');
  const parsed = AccountEvents.safeParse(jsonOf(body));
  if (parsed.success) return parsed.data;
  throw new ApiError('bad-input', 'This is no report of accounts.');
}

function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    return null;
  }
}

type TrpcOptions = FastifyHandlerOptions<typeof router, FastifyRequest, FastifyReply>;

function trpcOptions(parameters: ApiServerParameters): TrpcOptions {
  const { handlers, audit } = parameters;
  return {
    router,
    maxBatchSize: CALLS_A_BATCH_MAX,
    allowMethodOverride: true,
    createContext: ({ req }): ApiContext => ({
      caller: req.caller,
      requestId: req.id,
      handlers,
      audit,
      watch: (lastEventId, call) => watchLeased(parameters, req.identity, lastEventId, call),
    }),
    responseMeta: ({ ctx, errors }) => {
      const first = errors[0];
      return first === undefined ? {} : { status: wireError(first, ctx?.requestId ?? '-').httpStatus };
    },
    onError: ({ error, path, req }) => {
      if (wireError(error, req.id).code !== 'internal') return;
      req.log.error({ err: error.cause ?? error, verb: path }, 'a verb failed');
    },
  };
}

/**
 * The events for one reader, until it leaves, its lease is over or the agent stops. An end that the reader did not make
 * is an abort, so that the stream closes without the word that tells a client not to come back. Where the reader left
 * nobody takes what is thrown: it would be a bug that nobody handled.
 */
async function* watchLeased(
  { door, events }: ApiServerParameters,
  identity: Identity | null,
  lastEventId: string | undefined,
  call: Call,
): AsyncIterable<AgentEvent> {
  const left = call.signal ?? new AbortController().signal;
  if (door.kind === 'admin' || identity === null) yield* events.watch(lastEventId, left);
  else {
    const lease = door.leases.open(identity);
    try {
      yield* events.watch(lastEventId, AbortSignal.any([left, lease.signal]));
    } finally {
      lease.close();
    }
  }
  if (left.aborted) return;
  throw new DOMException('The event stream is over.', 'AbortError');
}

function rootCaller(claimed: string | string[] | undefined): Caller {
  // The claim is text of a caller: printable ASCII, and short.
  const name = typeof claimed === 'string' ? claimed.replaceAll(/[^\u0020-\u007e]/gu, '?').slice(0, 64) : '';
  return {
    subject: 'uid:0',
    name: 'root',
    role: 'admin',
    via: 'admin-socket',
    ...(name === '' ? {} : { claimed: name }),
  };
}

/** Refused acts are in the audit, too. A refused look is not: anybody could fill the disk with them. */
function auditRefusal(audit: AgentAudit, request: FastifyRequest, error: ApiError): void {
  if (request.method !== 'POST') return;
  audit.refuse({
    caller: request.caller,
    verb: verbOf(request.url),
    input: null,
    requestId: request.id,
    result: error.code,
  });
}

/** What was asked, as the audit may have it: a verb or several, or an address of ours; never a text that a caller made up. */
function verbOf(url: string): string {
  const path = url.split('?')[0] ?? '';
  const names = path.replace('/api/trpc/', '');
  const isOurs = path === leasePath || path === accountEventsPath;
  return isOurs || names.split(',').every((name) => Object.hasOwn(verbs, name))
    ? names.slice(0, 200)
    : '(no such verb)';
}

function refuse(reply: FastifyReply, error: ApiError, requestId: string, status?: number): void {
  const body = httpErrorBody(error, requestId);
  void reply
    .code(status ?? body.error.data.httpStatus)
    .header('cache-control', 'no-store')
    .send(body);
}
