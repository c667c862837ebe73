import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import type { Accounts } from '../accounts.ts';
import { passwordFault } from '../password-rule.ts';
import { readCode } from '../secrets.ts';
import { userNameFault } from '../users.ts';
import { badInput, bodyOf, NameText, PasswordText } from './body.ts';
import { busy, NO_SUCH_USER, openSession, throttled } from './login.ts';

const FirstAdminBody = z.strictObject({ code: z.string().min(1).max(100), name: NameText, password: PasswordText });

/** `/api/first-admin`: the one-time code makes the first user, who is then signed in. */
export function addFirstAdminRoute(app: FastifyInstance, accounts: Accounts): void {
  const { users, throttle, log, library, gate, firstAdmin } = accounts;
  app.post('/api/first-admin', async (request, reply) => {
    const { code, name, password } = bodyOf(request, FirstAdminBody);
    const note = (result: string): void => {
      const actor = result === 'done' ? name : NO_SUCH_USER;
      log.add({ actor, act: 'first-admin', subject: '', address: request.ip, result });
    };
    if (!firstAdmin.isExpected) throw notFirst();
    const user = await throttled(accounts, null, request, async () => {
      const fault = userNameFault(name) ?? passwordFault(password, name);
      if (fault !== undefined) throw badInput(`Not taken: ${fault}.`);
      const passwordHash = await gate.enter(() => library.hashPassword(password));
      if (passwordHash === null) throw busy();
      const made = users.addFirst(readCode(code), { name, passwordHash, mustChangePassword: false });
      if (typeof made !== 'string') return made;
      note(made);
      if (made === 'not-first') throw notFirst();
      throttle.failed(null, request.ip);
      throw new Refused({
        status: 401,
        code: 'unauthenticated',
        message: 'The code is wrong.',
        remedy: 'It is in the file first-admin-code beside the store of the gateway; each start makes a new one.',
      });
    });
    firstAdmin.used();
    note('done');
    const signedIn = await library.signIn(name, password);
    if (signedIn === null) throw new Error('the first admin was made and cannot sign in');
    return openSession(accounts, request, reply, user, signedIn.token);
  });
}

const notFirst = (): Refused =>
  new Refused({
    status: 409,
    code: 'conflict',
    message: 'There are users already.',
    remedy: 'Sign in, or ask an admin for a user.',
  });
