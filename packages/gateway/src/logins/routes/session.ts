import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../../fences/refusal.ts';
import { type Accounts, sessionVisitor } from '../accounts.ts';
import type { SessionAnswer } from '../session-answer.ts';
import type { Session } from '../sessions.ts';
import type { User } from '../users.ts';

/** `/api/session`, its clock, and the list of one's own sessions. */
export function addSessionRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { sessions, users, leases, log } = accounts;

  app.get('/api/session', async (request, reply) => {
    const visitor = await accounts.who(request);
    const user = visitor === null ? undefined : users.find(visitor.subject);
    const session = visitor?.via === 'session' ? sessions.findById(visitor.sessionId) : undefined;
    return send(reply, sessionAnswer(accounts, user, session));
  });

  // The console says so when somebody types or clicks; questions that it asks by itself do not keep a session alive.
  app.post('/api/session/touch', async (request, reply) => {
    const visitor = await sessionVisitor(accounts, request);
    sessions.touch(visitor.sessionId);
    return send(reply, sessionAnswer(accounts, users.find(visitor.subject), sessions.findById(visitor.sessionId)));
  });

  app.get('/api/sessions', async (request, reply) => {
    const visitor = await sessionVisitor(accounts, request);
    const rows = sessions.listOf(visitor.subject).map((session) => ({
      id: session.id,
      startedAt: iso(session.startedAt),
      lastActiveAt: iso(session.activeAt),
      idleEndsAt: iso(session.idleEndsAt),
      absoluteEndsAt: iso(session.absoluteEndsAt),
      address: session.address,
      userAgent: session.userAgent,
      isThis: session.id === visitor.sessionId,
    }));
    return send(reply, rows);
  });

  app.post('/api/sessions/:id/end', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const visitor = await sessionVisitor(accounts, request);
    const session = sessions.findById(request.params.id);
    if (session?.userId !== visitor.subject)
      throw new Refused({ status: 404, code: 'not-found', message: 'You have no such session.' });
    sessions.end(session.id);
    log.add({ actor: visitor.name, act: 'end-session', subject: session.id, address: request.ip, result: 'done' });
    await leases.endSession(session.id);
    return send(reply, { ended: 1 });
  });
}

/** What a page needs to know about who is signed in. */
export function sessionAnswer(accounts: Accounts, user: User | undefined, session: Session | undefined): SessionAnswer {
  const isIn = user !== undefined && !user.disabled;
  return {
    loginsEnabled: true,
    needsFirstAdmin: accounts.firstAdmin.isExpected,
    user: isIn ? { id: user.id, name: user.name, role: user.role } : null,
    role: isIn ? user.role : null,
    mustChangePassword: isIn && user.mustChangePassword,
    session:
      session === undefined
        ? null
        : {
            now: iso(accounts.now()),
            startedAt: iso(session.startedAt),
            idleEndsAt: iso(session.idleEndsAt),
            absoluteEndsAt: iso(session.absoluteEndsAt),
          },
    agents: isIn ? accounts.agents : [],
  };
}

/** Sends what no cache may keep. */
export const send = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.header('cache-control', 'no-store').send(value);

const iso = (time: number): string => new Date(time).toISOString();
