import { Role } from '@setkeeper/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import { type Accounts, adminVisitor } from '../accounts.ts';
import { type AdministrationRefusal, type ChangedUser, createUserAdministration } from '../user-administration.ts';
import { badInput, bodyOf, NameText, PasswordText } from './body.ts';
import { busy } from './login.ts';
import { send } from './session.ts';

const AddBody = z.strictObject({ name: NameText, role: Role, password: PasswordText.optional() });
const ChangeBody = z.strictObject({
  role: Role.optional(),
  disabled: z.boolean().optional(),
  resetPassword: z.boolean().optional(),
});

/** `/api/users`: what admins may do with users. */
export function addUserRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { log, leases, gate, library } = accounts;
  const administration = createUserAdministration({
    ...accounts,
    hash: (password) => gate.enter(() => library.hashPassword(password)),
  });

  app.get('/api/users', async (request, reply) => {
    await adminVisitor(accounts, request, 'users.list');
    return send(reply, administration.list());
  });

  app.get('/api/users/log', async (request, reply) => {
    await adminVisitor(accounts, request, 'users.log');
    return send(reply, log.list(1000));
  });

  app.post('/api/users', async (request, reply) => {
    const user = bodyOf(request, AddBody);
    const { name } = await adminVisitor(accounts, request, 'users.add');
    const { user: made } = done(await administration.add({ name, address: request.ip }, user), user.name);
    return send(reply.code(201), made);
  });

  app.post('/api/users/:id', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const change = bodyOf(request, ChangeBody);
    const { id } = request.params;
    const { name } = await adminVisitor(accounts, request, 'users.change');
    const { user, ended } = done(await administration.change({ name, address: request.ip }, id, change), id);
    for (const sessionId of ended) await leases.endSession(sessionId);
    await leases.renew();
    return send(reply, user);
  });
}

/** What was done; throws Refused for what was not. */
function done(answer: ChangedUser | AdministrationRefusal, subject: string): ChangedUser {
  if (!('refused' in answer)) return answer;
  switch (answer.refused) {
    case 'not-good':
      throw badInput(`Not taken: ${answer.reason}.`);
    case 'busy':
      throw busy();
    case 'name-taken':
      throw new Refused({ status: 409, code: 'conflict', message: `There is a user ${subject} already.`, subject });
    case 'last-admin':
      throw new Refused({
        status: 409,
        code: 'conflict',
        message: 'This is the last admin.',
        remedy: 'Make another admin first.',
        subject,
      });
    case 'no-such-user':
      throw new Refused({ status: 404, code: 'not-found', message: 'There is no such user.', subject });
  }
}
