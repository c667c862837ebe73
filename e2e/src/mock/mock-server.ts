import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { ApiError, type AppRouter, type Handlers, router } from '@setkeeper/api';
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import fastify, { type FastifyInstance } from 'fastify';
import { hostHandlers } from './host-handlers.ts';
import { type MockState, makeState, type Scenario, scenarios } from './mock-state.ts';
import { modelHandlers } from './model-handlers.ts';
import { runHandlers } from './run-handlers.ts';
import { safetyHandlers } from './safety-handlers.ts';
import { setHandlers } from './set-handlers.ts';
import { statusHandlers } from './status-handlers.ts';

/** How a test or a developer changes the invented agent while it runs. */
export interface MockChange {
  readonly scenario?: Scenario;
  readonly isDown?: boolean;
  readonly role?: MockState['role'];
  readonly failing?: MockState['failing'];
  readonly delayMs?: number;
  /** Emits so many `sets-changed` events at once. */
  readonly storm?: number;
  /** Changes the model, so that every digest is stale. */
  readonly bumpRevision?: boolean;
}

function applyChange(state: MockState, change: MockChange): void {
  if (change.scenario !== undefined && scenarios.includes(change.scenario))
    Object.assign(state, makeState(change.scenario, state.events));
  if (change.isDown !== undefined) state.isDown = change.isDown;
  if (change.role !== undefined) state.role = change.role;
  if (change.failing !== undefined) state.failing = change.failing;
  if (change.delayMs !== undefined) state.delayMs = change.delayMs;
  if (change.bumpRevision === true) state.revision += 1;
  for (let sent = 0; sent < (change.storm ?? 0); sent += 1) state.events.emit({ type: 'sets-changed' });
  state.events.emit({ type: 'reset' });
}

function handlersOf(state: MockState): Handlers {
  const all: Handlers = {
    ...statusHandlers(state),
    ...setHandlers(state),
    ...runHandlers(state),
    ...hostHandlers(state),
    ...modelHandlers(state),
    ...safetyHandlers(state),
  };
  return new Proxy(all, {
    get: (target, name, receiver) => {
      const failing = state.failing[String(name)];
      if (failing !== undefined) {
        return () => {
          throw new ApiError(
            failing,
            failing === 'internal'
              ? 'The agent failed to answer.'
              : `${String(name)} needs the role admin; local has ${state.role}.`,
            {
              subject: String(name),
              remedy:
                failing === 'internal'
                  ? "Look for the request id in the agent's log."
                  : 'Ask someone with the role admin.',
            },
          );
        };
      }
      return Reflect.get(target, name, receiver);
    },
  });
}

/** A server that looks like a gateway with one agent behind it: the exported console, the API, and `POST /mock`. */
export async function mockServer(options: {
  readonly scenario: Scenario;
  readonly consoleDirectory: string;
}): Promise<FastifyInstance> {
  const state = makeState(options.scenario);
  const server = fastify({
    routerOptions: { maxParamLength: 5_000 },
    bodyLimit: 16_777_216,
    forceCloseConnections: true,
  });
  let requests = 0;
  server.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return;
    if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
    if (state.isDown) {
      await reply.code(502).send({
        code: 'agent-unreachable',
        message: 'The agent does not answer on its socket.',
        remedy: 'systemctl status setkeeper-agent',
        requestId: 'g1',
      });
    }
  });
  await server.register(fastifyTRPCPlugin, {
    prefix: '/api/trpc',
    trpcOptions: {
      router,
      allowMethodOverride: true,
      createContext: () => {
        requests += 1;
        return {
          caller: { subject: 'local', name: 'local', role: state.role, via: 'gateway' as const },
          requestId: `q${requests.toString(36)}`,
          handlers: handlersOf(state),
          watch: (lastEventId: string | undefined, call: { signal: AbortSignal | undefined }) =>
            state.events.watch(lastEventId, call.signal),
          audit: { begin: () => ({ finish: () => Promise.resolve() }), refuse: () => undefined },
        };
      },
      responseMeta: ({ errors }) => {
        const data: unknown = errors[0]?.cause;
        return data instanceof ApiError && data.code === 'not-permitted' ? { status: 403 } : {};
      },
    } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions'],
  });
  server.get('/api/session', () => ({ user: { name: 'local' }, role: state.role, loginsEnabled: false }));
  server.post<{ Body: MockChange }>('/mock', (request, reply) => {
    applyChange(state, request.body);
    return reply.send({ done: true });
  });
  if (existsSync(options.consoleDirectory)) {
    await server.register(fastifyStatic, { root: options.consoleDirectory });
    server.setNotFoundHandler((_request, reply) => reply.code(404).type('text/html').sendFile('404.html'));
  }
  return server;
}

/** Where `next build` puts the console. */
export const consoleDirectory = join(import.meta.dirname, '../../../apps/console/out');
