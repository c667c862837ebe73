import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import { type Accounts, sessionVisitor } from '../accounts.ts';
import { passwordFault } from '../password-rule.ts';
import { badInput, bodyOf, PasswordText } from './body.ts';
import { busy, throttled } from './login.ts';
import { send, sessionAnswer } from './session.ts';

const PasswordBody = z.strictObject({ current: PasswordText, next: PasswordText });

/** `/api/password`: a new password of one's own; every other session of the user ends. */
export function addPasswordRoute(app: FastifyInstance, accounts: Accounts): void {
  const { users, sessions, throttle, log, library, gate, leases } = accounts;
  app.post('/api/password', async (request, reply) => {
    const { current, next } = bodyOf(request, PasswordBody);
    const visitor = await sessionVisitor(accounts, request);
    const name = visitor.name;
    const note = (result: string): void =>
      log.add({ actor: name, act: 'change-password', subject: name, address: request.ip, result });
    const old = users.passwordHashOf(visitor.subject) ?? '';
    await throttled(accounts, name, request, async () => {
      const isRight = await gate.enter(() => library.verifyPassword(old, current));
      if (isRight === null) throw busy();
      if (isRight) return;
      throttle.failed(name, request.ip);
      note('wrong');
      throw new Refused({ status: 403, code: 'not-permitted', message: 'The current password is wrong.' });
    });
    const fault = passwordFault(next, name) ?? (next === current ? 'it is the one that you have' : undefined);
    if (fault !== undefined) throw badInput(`Not taken: ${fault}.`, 'next');
    const hash = await gate.enter(() => library.hashPassword(next));
    if (hash === null) throw busy();
    users.setPassword(visitor.subject, hash, false);
    note('done');
    for (const id of sessions.endAll(visitor.subject, visitor.sessionId)) await leases.endSession(id);
    return send(reply, sessionAnswer(accounts, users.find(visitor.subject), sessions.findById(visitor.sessionId)));
  });
}
