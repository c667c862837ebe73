import { Role } from '@setkeeper/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import { type Accounts, passwordFirst, sessionVisitor } from '../accounts.ts';
import { sessionIdOfToken } from '../api-tokens.ts';
import { bodyOf } from './body.ts';
import { send } from './session.ts';

const TokenBody = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_. -]{0,62}$/u, '1 to 63 of A-Z a-z 0-9 _ . - and blanks'),
  role: Role.default('viewer'),
  days: z.number().int().min(1).max(366).default(90),
});
/** Tokens that a user may have at a time. */
const tokensMax = 50;

/** `/api/tokens`: one's own API tokens; an admin also sees and revokes those of others. */
export function addTokenRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { tokens, log, leases, users, now } = accounts;

  app.get('/api/tokens', async (request: FastifyRequest<{ Querystring: { all?: string } }>, reply) => {
    const visitor = await sessionVisitor(accounts, request);
    const isAll = visitor.role === 'admin' && request.query.all !== undefined;
    const rows = tokens.listOf(isAll ? null : visitor.subject).map(({ userId, ...token }) => ({
      ...token,
      owner: users.find(userId)?.name ?? userId,
    }));
    return send(reply, rows);
  });

  app.post('/api/tokens', async (request, reply) => {
    const { name, role, days } = bodyOf(request, TokenBody);
    const visitor = await sessionVisitor(accounts, request);
    if (visitor.mustChangePassword) throw passwordFirst();
    if (Role.options.indexOf(role) > Role.options.indexOf(visitor.role))
      throw new Refused({
        status: 403,
        code: 'not-permitted',
        message: `A token of ${visitor.name} has at most the role ${visitor.role}.`,
      });
    const living = tokens
      .listOf(visitor.subject)
      .filter(({ revokedAt, expiresAt }) => revokedAt === null && Date.parse(expiresAt) > now());
    if (living.length >= tokensMax)
      throw new Refused({
        status: 409,
        code: 'conflict',
        message: `You have ${tokensMax} tokens.`,
        remedy: 'Revoke one.',
      });
    const { token, entry } = tokens.create({ userId: visitor.subject, name, role, days });
    log.add({
      actor: visitor.name,
      act: 'create-token',
      subject: `${name} (${role})`,
      address: request.ip,
      result: 'done',
    });
    return send(reply.code(201), { token, id: entry.id, name, role, expiresAt: entry.expiresAt });
  });

  app.post('/api/tokens/:id/revoke', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const visitor = await sessionVisitor(accounts, request);
    const { id } = request.params;
    if (!tokens.revoke(id, visitor.role === 'admin' ? null : visitor.subject))
      throw new Refused({
        status: 404,
        code: 'not-found',
        message: 'There is no such token, or it was revoked already.',
      });
    log.add({ actor: visitor.name, act: 'revoke-token', subject: id, address: request.ip, result: 'done' });
    await leases.endSession(sessionIdOfToken(id));
    return send(reply, { revoked: true });
  });
}
