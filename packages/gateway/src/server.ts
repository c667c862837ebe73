import { randomUUID } from 'node:crypto';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { AgentLink } from './agents/agent-link.ts';
import { forward } from './agents/forward.ts';
import type { StreamLeases } from './agents/stream-leases.ts';
import { readVerbPath } from './agents/verb-paths.ts';
import type { ConsoleFiles } from './console/console-files.ts';
import { serveConsole } from './console/serve-console.ts';
import { type Refusal, Refused, refuse } from './fences/refusal.ts';
import { addRequestFence } from './fences/request-fence.ts';
import type { OriginPolicy } from './fences/request-judge.ts';
import { addSecurityHeaders } from './fences/security-headers.ts';
import { passwordFirst } from './logins/accounts.ts';
import type { Logins } from './logins/logins.ts';
import { agentMetrics } from './metrics/agent-metrics.ts';
import type { GatewayMetrics } from './metrics/gateway-metrics.ts';
import type { Visitor } from './visitors/visitor.ts';

/** What a gateway is made of. */
export interface ServerParameters {
  /** At least one; the first is behind `/api/trpc`. */
  readonly agents: readonly [AgentLink, ...AgentLink[]];
  readonly leases: StreamLeases;
  readonly logins: Logins;
  readonly console: ConsoleFiles;
  readonly policy: OriginPolicy;
  /** Given to the TLS server; without it plain HTTP. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** Nobody may come but through a trusted proxy: the gateway itself would speak in clear. */
  readonly isBehindProxy: boolean;
  /** Whose X-Forwarded headers are believed. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly metrics: GatewayMetrics;
  readonly metricsAreOpen: boolean;
  readonly log: FastifyBaseLogger;
  readonly limits?: Partial<ServerLimits>;
}

/** How long a caller may take. A whole head, and a whole request, must be here within these. */
export interface ServerLimits {
  readonly headersMsMax: number;
  readonly requestMsMax: number;
}

const limitsByDefault: ServerLimits = { headersMsMax: 10_000, requestMsMax: 60_000 };

/** Named limits of what a caller can make large or slow. */
const bodyBytesMax = 1024 * 1024;
const documentBytesMax = 16 * 1024 * 1024;
const headerBytesMax = 32 * 1024;
const connectionsMax = 4096;

/** The gateway's HTTP server; not listening yet. Whatever is not named here is a file of the console, or nothing. */
export function createServer(parameters: ServerParameters): FastifyInstance {
  const { agents, leases, logins, console, metrics, tls, log } = parameters;
  const limits = { ...limitsByDefault, ...parameters.limits };
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (_error, _request, reply) => {
      refuse(reply, { status: 400, code: 'bad-input', message: 'The address is malformed.' });
    },
    genReqId: () => randomUUID(),
    bodyLimit: bodyBytesMax,
    requestTimeout: limits.requestMsMax,
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    trustProxy: (address: string) => parameters.isTrustedProxy(address),
    routerOptions: { maxParamLength: headerBytesMax, ignoreTrailingSlash: false },
    ...serverOptions(tls, limits),
  }) as unknown as FastifyInstance;
  app.server.maxConnections = connectionsMax;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500)
      request.log[refusal.code === 'internal' ? 'error' : 'warn']({ err: error }, refusal.message);
    if (refusal.code === 'agent-unreachable') metrics.agentUnreachable(refusal.subject ?? '');
    refuse(reply, refusal);
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = request.raw.url ?? '';
    metrics.request(path.startsWith('/api') ? 'api' : reply.hasHeader('etag') ? 'console' : 'other', reply.statusCode);
  });
  addSecurityHeaders(app, tls !== undefined || parameters.policy.origins.some((origin) => origin.startsWith('https:')));
  addRequestFence(app, parameters, metrics);

  const visitorOf = async (request: FastifyRequest): Promise<Visitor> => {
    const visitor = await logins.who(request);
    if (visitor?.mustChangePassword === true) throw passwordFirst();
    if (visitor !== null) return visitor;
    throw new Refused({
      status: 401,
      code: 'unauthenticated',
      message: 'You are not signed in, or your session is over.',
      remedy: 'Sign in again.',
    });
  };
  const linkOf = (name: string | undefined): AgentLink => {
    const link = name === undefined ? agents[0] : agents.find((agent) => agent.name === name);
    if (link !== undefined) return link;
    throw new Refused({ status: 404, code: 'not-found', message: `There is no agent ${String(name).slice(0, 253)}.` });
  };

  const pass = async (request: FastifyRequest<{ Params: { host?: string; path: string } }>, reply: FastifyReply) => {
    const visitor = await visitorOf(request);
    if (request.method === 'POST' && readVerbPath(request.params.path).acts) logins.active(visitor);
    return forward(request, reply, request.params.path, { link: linkOf(request.params.host), visitor, leases });
  };
  for (const prefix of ['/api/trpc', '/api/hosts/:host/trpc']) {
    app.route({ method: 'GET', url: `${prefix}/:path`, exposeHeadRoute: false, handler: pass });
    app.route({
      method: 'POST',
      url: `${prefix}/:path`,
      bodyLimit: documentBytesMax,
      onRequest: refuseLargeBody,
      handler: pass,
    });
  }
  logins.register(app);
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true }));

  const mayScrape = async (request: FastifyRequest): Promise<void> => {
    if (!parameters.metricsAreOpen) await visitorOf(request);
  };
  app.get('/metrics', async (request, reply) => {
    await mayScrape(request);
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text());
  });
  app.get<{ Params: { host: string } }>('/hosts/:host/metrics', async (request, reply) => {
    await mayScrape(request);
    const text = await agentMetrics(linkOf(request.params.host));
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });

  app.setNotFoundHandler(async (request, reply) => {
    const path = (request.raw.url ?? '/').split('?')[0] ?? '/';
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && path !== '/api' && !path.startsWith('/api/');
    if (isPage) return serveConsole(console, request, reply);
    return refuse(reply, { status: 404, code: 'not-found', message: 'There is nothing at this address.' });
  });
  return app;
}

function serverOptions(tls: ServerParameters['tls'], { headersMsMax }: ServerLimits) {
  const limits = {
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersMsMax,
    connectionsCheckingInterval: Math.min(1000, headersMsMax),
  };
  return tls === undefined ? { http: limits } : { https: { ...limits, ...tls, minVersion: 'TLSv1.2' as const } };
}

/** Only verbs that take whole documents take more than a mebibyte; said before the body is read. */
async function refuseLargeBody(request: FastifyRequest<{ Params: { path: string } }>): Promise<void> {
  const asked = readVerbPath(request.params.path);
  if (asked.kind === 'verbs' && asked.isDocument) return;
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length) && request.headers['transfer-encoding'] === undefined) return;
  if (length <= bodyBytesMax) return;
  throw new Refused({ status: 413, code: 'too-large', message: `A request has ${bodyBytesMax} bytes at most.` });
}

/** What went wrong in words; what is not known is internal, and its text stays in the log. */
function refusalOf(error: Error): Refusal {
  if (error instanceof Refused) return error.refusal;
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  switch (status) {
    case 413:
      return { status, code: 'too-large', message: 'The request is larger than this address takes.' };
    case 415:
      return { status, code: 'bad-input', message: 'A body must be JSON (content-type: application/json).' };
    case 400:
    case 408:
    case 431:
      return { status, code: 'bad-input', message: 'The request is malformed.' };
    default:
      return {
        status: 500,
        code: 'internal',
        message: 'The gateway failed to answer.',
        remedy: "Look for the request id in the gateway's log.",
      };
  }
}
