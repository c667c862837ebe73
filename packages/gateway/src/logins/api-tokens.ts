import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { Role } from '@setkeeper/api';
import { newToken, secretHash } from './secrets.ts';

/** An API token, without its secret. Times are ISO-8601, UTC. */
export interface ApiToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** The most that it may do: at use never above its owner's role. */
  readonly role: Role;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The tokens in the store: 256 random bits each, of which the SHA-256 is kept. */
export interface ApiTokens {
  /** Makes one; the secret is in the answer and nowhere else. */
  create(o: { readonly userId: string; readonly name: string; readonly role: Role; readonly days: number }): {
    token: string;
    entry: ApiToken;
  };
  /** The token behind a secret, if it is neither expired nor revoked. Notes the use, at most once a minute. */
  find(secret: string): ApiToken | undefined;
  /** The token of a visitor's session id. */
  findBySessionId(sessionId: string): ApiToken | undefined;
  listOf(userId: string | null): readonly ApiToken[];
  /** Whether there was such a token of this user (null: of anybody) that still lived. */
  revoke(id: string, userId: string | null): boolean;
  revokeAll(userId: string): readonly string[];
}

/** What the session id of a token begins with. */
const tokenMark = 'token:';

/** The session id under which a token asks. */
export const sessionIdOfToken = (id: string): string => `${tokenMark}${id}`;

const useNotedEveryMs = 60_000;
/** Tokens of a user that are kept; of more, the oldest that have ended go. */
const tokensKeptMax = 100;

/** Reads and writes tokens. `now`: milliseconds since 1970. */
export function createApiTokens(database: DatabaseSync, now: () => number): ApiTokens {
  const insert = database.prepare(
    'insert into api_token (id, user_id, name, role, hash, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const removeEnded = database.prepare(
    `delete from api_token where user_id = ?1 and (revoked_at is not null or expires_at <= ?2) and id not in
       (select id from api_token where user_id = ?1 order by created_at desc, rowid desc limit ?3)`,
  );
  const byHash = database.prepare('select * from api_token where hash = ?');
  const byId = database.prepare('select * from api_token where id = ?');
  const list = database.prepare('select * from api_token where ?1 is null or user_id = ?1 order by created_at desc');
  const use = database.prepare('update api_token set used_at = ? where id = ?');
  const revoke = database.prepare(
    'update api_token set revoked_at = ?1 where id = ?2 and revoked_at is null and (?3 is null or user_id = ?3)',
  );
  const revokeAll = database.prepare(
    'update api_token set revoked_at = ? where user_id = ? and revoked_at is null returning id',
  );
  const living = (token: ApiToken | undefined): ApiToken | undefined =>
    token !== undefined && token.revokedAt === null && Date.parse(token.expiresAt) > now() ? token : undefined;

  return {
    create({ userId, name, role, days }) {
      const token = newToken();
      const id = randomUUID();
      insert.run(id, userId, name, role, secretHash(token), now(), now() + days * 86_400_000);
      removeEnded.run(userId, now(), tokensKeptMax);
      const entry = tokenOf(byId.get(id));
      if (entry === undefined) throw new Error('a token that was just made is not there');
      return { token, entry };
    },
    find(secret) {
      const token = living(tokenOf(byHash.get(secretHash(secret))));
      if (token === undefined) return undefined;
      if (token.lastUsedAt === null || Date.parse(token.lastUsedAt) < now() - useNotedEveryMs) use.run(now(), token.id);
      return token;
    },
    findBySessionId: (sessionId) =>
      sessionId.startsWith(tokenMark) ? living(tokenOf(byId.get(sessionId.slice(tokenMark.length)))) : undefined,
    listOf: (userId) => list.all(userId).flatMap((row) => tokenOf(row) ?? []),
    revoke: (id, userId) => Number(revoke.run(now(), id, userId).changes) === 1,
    revokeAll: (userId) => revokeAll.all(now(), userId).map((row) => String(row.id)),
  };
}

function tokenOf(row: Record<string, SQLOutputValue> | undefined): ApiToken | undefined {
  if (row === undefined) return undefined;
  const time = (value: SQLOutputValue | undefined): string | null =>
    value === null || value === undefined ? null : new Date(Number(value)).toISOString();
  return {
    id: String(row.id),
    userId: String(row.user_id),
    name: String(row.name),
    role: Role.parse(row.role),
    createdAt: time(row.created_at) ?? '',
    expiresAt: time(row.expires_at) ?? '',
    lastUsedAt: time(row.used_at),
    revokedAt: time(row.revoked_at),
  };
}
