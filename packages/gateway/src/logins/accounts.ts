import type { FastifyRequest } from 'fastify';
import type { StreamLeases } from '../agents/stream-leases.ts';
import { Refused } from '../fences/refusal.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Visitor } from '../visitors/visitor.ts';
import type { AccountLog } from './account-log.ts';
import type { ApiTokens } from './api-tokens.ts';
import type { FirstAdmin } from './first-admin.ts';
import type { HashingGate } from './hashing-gate.ts';
import type { LoginLibrary } from './login-library.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { Throttle } from './throttle.ts';
import type { Users } from './users.ts';

/** What the addresses of logins work with. */
export interface Accounts {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly throttle: Throttle;
  readonly log: AccountLog;
  readonly library: LoginLibrary;
  readonly gate: HashingGate;
  readonly cookie: SessionCookie;
  readonly firstAdmin: FirstAdmin;
  readonly leases: Pick<StreamLeases, 'endSession' | 'renew'>;
  readonly metrics: Pick<GatewayMetrics, 'signIn'>;
  readonly agents: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly who: (request: FastifyRequest) => Promise<Visitor | null>;
}

/** Who asks, signed in by a session in a browser. Throws Refused for nobody, and for tokens. */
export async function sessionVisitor(accounts: Accounts, request: FastifyRequest): Promise<Visitor> {
  const visitor = await knownVisitor(accounts, request);
  if (visitor.via === 'session') return visitor;
  throw new Refused({
    status: 403,
    code: 'not-permitted',
    message: 'A token cannot do this; it needs somebody who has signed in.',
  });
}

/** Who asks, by session or token, with the role admin. Throws Refused. */
export async function adminVisitor(accounts: Accounts, request: FastifyRequest, what: string): Promise<Visitor> {
  const visitor = await knownVisitor(accounts, request);
  if (visitor.mustChangePassword) throw passwordFirst();
  if (visitor.role === 'admin') return visitor;
  accounts.log.add({ actor: visitor.name, act: what, subject: '', address: request.ip, result: 'not-permitted' });
  throw new Refused({
    status: 403,
    code: 'not-permitted',
    message: `${what} needs the role admin; ${visitor.name} has ${visitor.role}.`,
    subject: what,
    remedy: 'Ask an admin.',
  });
}

async function knownVisitor(accounts: Accounts, request: FastifyRequest): Promise<Visitor> {
  const visitor = await accounts.who(request);
  if (visitor !== null) return visitor;
  throw new Refused({
    status: 401,
    code: 'unauthenticated',
    message: 'You are not signed in, or your session is over.',
    remedy: 'Sign in again.',
  });
}

/** Why somebody with a password of somebody else's making gets nothing. */
export const passwordFirst = (): Refused =>
  new Refused({
    status: 403,
    code: 'not-permitted',
    message: 'Your password was made by somebody else.',
    remedy: 'Choose a password of your own first.',
    details: { mustChangePassword: true },
  });
