import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refused } from '../../fences/refusal.ts';
import type { Accounts } from '../accounts.ts';
import { sessionVisitor } from '../accounts.ts';
import { sessionIdOfToken } from '../api-tokens.ts';
import type { User } from '../users.ts';
import { bodyOf, NameText, PasswordText } from './body.ts';
import { send, sessionAnswer } from './session.ts';

const LoginBody = z.strictObject({ name: NameText, password: PasswordText });
const LogoutBody = z.strictObject({ everywhere: z.boolean().default(false), tokens: z.boolean().default(false) });

/** Who the log names where somebody typed a name that no user has. */
export const NO_SUCH_USER = '(no such user)';

/** `/api/login` and `/api/logout`. */
export function addLoginRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { log, metrics, throttle, users, sessions, tokens, leases, cookie } = accounts;

  app.post('/api/login', async (request, reply) => {
    const { name, password } = bodyOf(request, LoginBody);
    // Not the name of nobody: it may be a password that was typed into the wrong field.
    const actor = users.findByName(name)?.name ?? NO_SUCH_USER;
    const note = (result: string): void => log.add({ actor, act: 'sign-in', subject: '', address: request.ip, result });
    const { user, token } = await throttled(accounts, name, request, async () => {
      const signedIn = await accounts.gate.enter(() =>
        accounts.library.signIn(name, password).then((made) => ({ made })),
      );
      if (signedIn === null) throw busy();
      const found = signedIn.made === null ? undefined : users.find(signedIn.made.userId);
      if (signedIn.made !== null && found?.disabled === false) return { user: found, token: signedIn.made.token };
      if (signedIn.made !== null) sessions.discard(signedIn.made.token);
      throttle.failed(name, request.ip);
      metrics.signIn('failed');
      note(found?.disabled === true ? 'disabled' : 'wrong');
      throw new Refused({ status: 401, code: 'unauthenticated', message: 'The name or the password is wrong.' });
    });
    throttle.succeeded(name);
    metrics.signIn('succeeded');
    note('done');
    return openSession(accounts, request, reply, user, token);
  });

  app.post('/api/logout', async (request, reply) => {
    const { everywhere, tokens: withTokens } = bodyOf(request, LogoutBody);
    const visitor = await sessionVisitor(accounts, request);
    const ended = everywhere ? [...sessions.endAll(visitor.subject)] : [visitor.sessionId];
    sessions.end(visitor.sessionId);
    if (withTokens) ended.push(...tokens.revokeAll(visitor.subject).map(sessionIdOfToken));
    cookie.clear(reply);
    log.add({
      actor: visitor.name,
      act: everywhere ? 'sign-out-everywhere' : 'sign-out',
      subject: '',
      address: request.ip,
      result: 'done',
    });
    for (const id of ended) await leases.endSession(id);
    return send(reply, { ended: ended.length });
  });
}

/** Puts a session that the library made into the browser's cookie; the one that was there before ends. */
export async function openSession(
  accounts: Accounts,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  token: string,
): Promise<FastifyReply> {
  const { sessions, cookie, leases } = accounts;
  const before = cookie.read(request);
  const old = before === undefined ? undefined : sessions.find(before);
  if (old !== undefined) {
    sessions.end(old.id);
    await leases.endSession(old.id);
  }
  const adopted = sessions.adopt(token, {
    address: request.ip,
    userAgent: String(request.headers['user-agent'] ?? ''),
  });
  if (adopted === undefined) throw new Error('the session that was just made is gone');
  cookie.set(reply, adopted.secret);
  return send(reply, sessionAnswer(accounts, user, adopted.session));
}

/** One attempt with a secret. Throws Refused while this account or address has to wait, which costs no hash. */
export async function throttled<Result>(
  { throttle, metrics }: Accounts,
  name: string | null,
  request: FastifyRequest,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const seconds = throttle.waitSeconds(name, request.ip);
  if (seconds > 0) {
    metrics.signIn('throttled');
    throw new Refused({
      status: 429,
      code: 'rate-limited',
      message: `Too many failed attempts. Try again in ${seconds} s.`,
      details: { waitSeconds: seconds },
    });
  }
  const end = throttle.begin(name, request.ip);
  try {
    return await attempt();
  } finally {
    end();
  }
}

/** Too many hash passwords at this moment. */
export const busy = (): Refused =>
  new Refused({ status: 429, code: 'rate-limited', message: 'Too many are signing in now. Try again in a moment.' });
