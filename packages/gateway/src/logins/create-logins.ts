import { hkdfSync, type KeyObject } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Role } from '@setkeeper/api';
import type { FastifyRequest } from 'fastify';
import type { StreamLeases } from '../agents/stream-leases.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { createAccountLog } from './account-log.ts';
import type { Accounts } from './accounts.ts';
import { type ApiToken, createApiTokens, sessionIdOfToken } from './api-tokens.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createHashingGate } from './hashing-gate.ts';
import { createLoginLibrary, type PasswordHashing } from './login-library.ts';
import type { Logins } from './logins.ts';
import { addFirstAdminRoute } from './routes/first-admin.ts';
import { addLoginRoutes } from './routes/login.ts';
import { addPasswordRoute } from './routes/password.ts';
import { addSessionRoutes } from './routes/session.ts';
import { addTokenRoutes } from './routes/tokens.ts';
import { addUserRoutes } from './routes/users.ts';
import { createSessionCookie } from './session-cookie.ts';
import { createSessions, type Session, type SessionLimits } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { createUsers, type User } from './users.ts';

/** What logins are made of. */
export interface LoginsParameters {
  readonly database: DatabaseSync;
  /** The file of the store: the one-time code lies beside it. */
  readonly store: string;
  readonly signingKey: { readonly key: KeyObject; readonly publicKey: string };
  readonly limits: SessionLimits;
  /** Whether browsers come over TLS, to the gateway or to its proxy. */
  readonly isEncrypted: boolean;
  readonly agents: readonly string[];
  readonly leases: Pick<StreamLeases, 'endSession' | 'renew'>;
  readonly metrics: Pick<GatewayMetrics, 'signIn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In place of scrypt. */
  readonly hashing?: PasswordHashing;
}

/** How often sessions whose time is over are removed from the store. */
const sweepMs = 10 * 60_000;

/** Logins with passwords, sessions and tokens, kept in the store of accounts. */
export async function createLogins(parameters: LoginsParameters): Promise<Logins> {
  const { database, now, signingKey } = parameters;
  const users = createUsers(database, now);
  const sessions = createSessions(database, parameters.limits, now);
  const tokens = createApiTokens(database, now);
  const cookie = createSessionCookie(signingKey.publicKey, parameters.isEncrypted);
  const firstAdmin = createFirstAdmin(users, join(dirname(parameters.store), 'first-admin-code'));
  sessions.endExpired();
  const sweeping = setInterval(() => sessions.endExpired(), sweepMs);
  sweeping.unref();

  const who = async (request: FastifyRequest): Promise<Visitor | null> => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const secret = /^Bearer (skt_[A-Za-z0-9_-]{43})$/u.exec(authorization)?.[1];
      const token = secret === undefined ? undefined : tokens.find(secret);
      return token === undefined ? null : tokenVisitor(token, users.find(token.userId));
    }
    const value = cookie.read(request);
    const session = value === undefined ? undefined : sessions.find(value);
    return session === undefined ? null : sessionOwner(session, users.find(session.userId));
  };

  const accounts: Accounts = {
    users,
    sessions,
    tokens,
    throttle: createThrottle(database, now),
    log: createAccountLog(database, now),
    library: await createLoginLibrary(database, secretOf(signingKey.key), parameters.hashing),
    gate: createHashingGate({ inside: 4, waiting: 32 }),
    cookie,
    firstAdmin,
    leases: parameters.leases,
    metrics: parameters.metrics,
    agents: parameters.agents,
    now,
    who,
  };
  return {
    isOn: true,
    codeFile: firstAdmin.isExpected ? firstAdmin.file : undefined,
    who,
    active(visitor) {
      if (visitor.via === 'session') sessions.touch(visitor.sessionId);
    },
    async current({ sessionId, via }) {
      if (via === 'token') {
        const token = tokens.findBySessionId(sessionId);
        return token === undefined ? null : tokenVisitor(token, users.find(token.userId));
      }
      const session = sessions.findById(sessionId);
      return session === undefined ? null : sessionOwner(session, users.find(session.userId));
    },
    register(app) {
      addSessionRoutes(app, accounts);
      addLoginRoutes(app, accounts);
      addFirstAdminRoute(app, accounts);
      addPasswordRoute(app, accounts);
      addTokenRoutes(app, accounts);
      addUserRoutes(app, accounts);
    },
    close() {
      clearInterval(sweeping);
      database.close();
    },
  };
}

function sessionOwner(session: Session, user: User | undefined): Visitor | null {
  if (user === undefined || user.disabled) return null;
  const { id, name, role, mustChangePassword } = user;
  return { subject: id, name, role, sessionId: session.id, via: 'session', mustChangePassword };
}

/** A token may what it says, and never more than its owner may now. */
function tokenVisitor(token: ApiToken, owner: User | undefined): Visitor | null {
  if (owner === undefined || owner.disabled) return null;
  const order = Role.options;
  const role = order[Math.min(order.indexOf(token.role), order.indexOf(owner.role))] ?? 'viewer';
  return {
    subject: owner.id,
    name: `${owner.name} (token ${token.name})`,
    role,
    sessionId: sessionIdOfToken(token.id),
    via: 'token',
    mustChangePassword: owner.mustChangePassword,
  };
}

/** The library wants a secret for cookies that are never sent: one that nobody has to keep. */
function secretOf(key: KeyObject): string {
  const material = key.export({ format: 'der', type: 'pkcs8' });
  return Buffer.from(hkdfSync('sha256', material, '', 'setkeeper logins', 32)).toString('base64url');
}
