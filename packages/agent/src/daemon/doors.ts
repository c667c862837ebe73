import type { Handlers } from '@setkeeper/api';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AgentAudit } from '../audit/create-audit-trail.ts';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { createApiServer, type Door } from '../server/api-server.ts';
import { createIdentityVerifier } from '../server/identity-verifier.ts';
import { createLeases } from '../server/leases.ts';
import { listen, SocketFault, type SocketPlace } from '../server/listen.ts';
import { activatedSockets } from '../server/socket-activation.ts';
import type { StatementMemory } from '../server/statement-memory.ts';
import { StartRefusal } from './start-refusal.ts';

export interface DoorsOptions {
  readonly config: AgentConfig;
  readonly host: string;
  readonly clock: Clock;
  readonly startedAt: number;
  readonly handlers: Handlers;
  readonly statements: StatementMemory;
  readonly audit: AgentAudit;
  readonly events: EventStream;
  readonly problems: ProblemBoard;
  readonly log: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The sockets, answering. */
export interface Doors {
  /** Takes no more requests, ends streams, lets those under way end for a moment. */
  close(): Promise<void>;
}

/** Who may use the group socket (CONTRACT section 2). */
const GROUP = 'setkeeper';
const GROUP_MODE = 0o660;
const ADMIN_MODE = 0o600;
/** How long requests under way may take when the agent stops. */
const GRACE_MS = 2_000;

/** Opens the group socket and, as root or by systemd, the admin socket. Throws a StartRefusal. */
export async function openDoors(options: DoorsOptions): Promise<Doors> {
  const { config, host, clock, startedAt, environment, log } = options;
  const passed = activatedSockets(environment, process.pid);
  const verifier = await createIdentityVerifier({ host, keys: config.trust.gatewayKeys, clock, startedAt }).catch(
    (error: unknown) => {
      throw new StartRefusal(error instanceof Error ? error.message : String(error), error);
    },
  );
  const identities = options.statements.watch(verifier);
  const doors: (readonly [string, Door, SocketPlace])[] = [
    [
      config.socket,
      { kind: 'group', identities, leases: createLeases(clock) },
      placeOf(passed.get('agent'), config.socket, GROUP_MODE, GROUP),
    ],
  ];
  // Only root's admin socket is root's alone; another user's agent gets one from systemd, or has none.
  if (passed.has('admin') || process.getuid?.() === 0)
    doors.push([
      config.adminSocket,
      { kind: 'admin' },
      placeOf(passed.get('admin'), config.adminSocket, ADMIN_MODE, null),
    ]);
  else log.info('no admin socket: not started as root, and none was passed by systemd');

  const open: FastifyInstance[] = [];
  try {
    for (const [path, door, place] of doors) {
      const server = createApiServer({ ...options, door, logger: log });
      await server.ready();
      await listen(server.server, place);
      open.push(server);
      log.info({ socket: path, door: door.kind }, 'listening');
    }
  } catch (error) {
    await Promise.all(open.map((server) => server.close()));
    if (error instanceof SocketFault) throw new StartRefusal(error.message, error);
    throw error;
  }
  return {
    close: async () => {
      options.events.close();
      await Promise.all(open.map((server) => closeGently(server)));
    },
  };
}

const placeOf = (descriptor: number | undefined, path: string, mode: number, group: string | null): SocketPlace =>
  descriptor === undefined ? { kind: 'path', path, mode, group } : { kind: 'descriptor', descriptor };

async function closeGently(server: FastifyInstance): Promise<void> {
  const http = server.server;
  await new Promise<void>((resolve) => {
    const giveUp = setTimeout(resolve, GRACE_MS);
    http.close(() => {
      clearTimeout(giveUp);
      resolve();
    });
    http.closeIdleConnections();
  });
  http.closeAllConnections();
  await server.close().catch(() => undefined);
}
