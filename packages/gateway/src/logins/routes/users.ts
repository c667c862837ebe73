import { Role } from '@setkeeper/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import { type Accounts, adminVisitor } from '../accounts.ts';
import { sessionIdOfToken } from '../api-tokens.ts';
import { passwordFault } from '../password-rule.ts';
import { newCode } from '../secrets.ts';
import { userNameFault } from '../users.ts';
import { badInput, bodyOf, NameText, PasswordText } from './body.ts';
import { busy } from './login.ts';
import { send } from './session.ts';

const AddBody = z.strictObject({ name: NameText, role: Role, password: PasswordText.optional() });
const ChangeBody = z.strictObject({
  role: Role.optional(),
  disabled: z.boolean().optional(),
  resetPassword: z.boolean().default(false),
});

/** `/api/users`: what admins may do with users. A password that an admin makes must be changed at the first sign-in. */
export function addUserRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { users, sessions, tokens, log, leases } = accounts;

  app.get('/api/users', async (request, reply) => {
    await adminVisitor(accounts, request, 'users.list');
    return send(reply, users.list());
  });

  app.get('/api/users/log', async (request, reply) => {
    await adminVisitor(accounts, request, 'users.log');
    return send(reply, log.list(1000));
  });

  app.post('/api/users', async (request, reply) => {
    const { name, role, password } = bodyOf(request, AddBody);
    const admin = await adminVisitor(accounts, request, 'users.add');
    const fault = userNameFault(name) ?? (password === undefined ? undefined : passwordFault(password, name));
    if (fault !== undefined) throw badInput(`Not taken: ${fault}.`);
    const first = password ?? newCode();
    const user = users.add({ name, role, passwordHash: await hash(first), mustChangePassword: true });
    const result = user === 'name-taken' ? user : 'done';
    log.add({ actor: admin.name, act: 'add-user', subject: `${name} (${role})`, address: request.ip, result });
    if (user === 'name-taken')
      throw new Refused({ status: 409, code: 'conflict', message: `There is a user ${name} already.`, subject: name });
    return send(reply.code(201), { ...user, ...(password === undefined ? { password: first } : {}) });
  });

  app.post('/api/users/:id', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { role, disabled, resetPassword } = bodyOf(request, ChangeBody);
    const admin = await adminVisitor(accounts, request, 'users.change');
    const before = users.find(request.params.id) ?? users.findByName(request.params.id);
    const after = before === undefined ? 'no-such-user' : users.change(before.id, { role, disabled });
    const what = [
      role,
      disabled === undefined ? undefined : disabled ? 'disabled' : 'enabled',
      resetPassword ? 'password' : undefined,
    ];
    const note = (result: string): void =>
      log.add({
        actor: admin.name,
        act: 'change-user',
        subject: `${before?.name ?? request.params.id} (${what.filter((word) => word !== undefined).join(', ')})`,
        address: request.ip,
        result,
      });
    if (typeof after === 'string') {
      note(after);
      throw after === 'last-admin'
        ? new Refused({
            status: 409,
            code: 'conflict',
            message: 'This is the last admin.',
            remedy: 'Make another admin first.',
          })
        : new Refused({ status: 404, code: 'not-found', message: 'There is no such user.' });
    }
    const password = resetPassword ? newCode() : undefined;
    if (password !== undefined) users.setPassword(after.id, await hash(password), true);
    note('done');
    const ending: string[] = [];
    if (after.disabled || resetPassword) ending.push(...sessions.endAll(after.id));
    if (after.disabled) ending.push(...tokens.listOf(after.id).map((token) => sessionIdOfToken(token.id)));
    for (const id of ending) await leases.endSession(id);
    await leases.renew();
    return send(reply, {
      ...after,
      mustChangePassword: after.mustChangePassword || resetPassword,
      ...(password === undefined ? {} : { password }),
    });
  });

  async function hash(password: string): Promise<string> {
    const made = await accounts.gate.enter(() => accounts.library.hashPassword(password));
    if (made === null) throw busy();
    return made;
  }
}
