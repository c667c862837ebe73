import type { DatabaseSync } from 'node:sqlite';
import { newSessionSecret, secretHash } from './secrets.ts';

/** How long a session lives. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly absoluteMs: number;
}

/** A session that lives. Times are milliseconds since 1970. */
export interface Session {
  /** No secret: it names the session in lists, logs and leases. */
  readonly id: string;
  readonly userId: string;
  readonly startedAt: number;
  readonly idleEndsAt: number;
  readonly absoluteEndsAt: number;
}

/** A session as its owner sees it in a list. */
export interface SessionRow extends Session {
  readonly activeAt: number;
  readonly address: string;
  readonly userAgent: string;
}

/** The sessions in the store. What is kept of a session's secret is its hash. */
export interface Sessions {
  /**
   * Takes over what the library made at a sign-in, under a new secret for the cookie of which only the hash was ever
   * written: the library's own stood in the store for a moment, and stays in its write-ahead log and in freed pages.
   */
  adopt(
    token: string,
    from: { readonly address: string; readonly userAgent: string },
  ): { readonly session: Session; readonly secret: string } | undefined;
  /** Ends what the library made, because it may not be used. */
  discard(token: string): void;
  /** The session behind a cookie; one whose time is over is ended by the question. Never counts as activity. */
  find(token: string): Session | undefined;
  findById(id: string): Session | undefined;
  /** Somebody did something: the idle clock begins anew. */
  touch(id: string): void;
  listOf(userId: string): readonly SessionRow[];
  end(id: string): void;
  /** Ends all sessions of a user but one; returns their ids. */
  endAll(userId: string, butId?: string): readonly string[];
  endExpired(): void;
}

/** Sessions that a user has at a time; one more ends the one that was idle longest. */
const sessionsMax = 100;

/** Reads and writes sessions. `now`: milliseconds since 1970. */
export function createSessions(database: DatabaseSync, limits: SessionLimits, now: () => number): Sessions {
  const columns = `session.id, session.userId, session.ipAddress, session.userAgent, session_clock.started_at as startedAt,
    session_clock.active_at as activeAt from session join session_clock on session_clock.session_id = session.id`;
  const byToken = database.prepare(`select ${columns} where session.token = ?`);
  const byId = database.prepare(`select ${columns} where session.id = ?`);
  const byUser = database.prepare(`select ${columns} where session.userId = ? order by activeAt desc`);
  const hide = database.prepare(
    'update session set token = ?, ipAddress = ?, userAgent = ? where token = ? returning id, userId',
  );
  const start = database.prepare('insert into session_clock (session_id, started_at, active_at) values (?, ?, ?)');
  const active = database.prepare('update session_clock set active_at = ? where session_id = ?');
  const remove = database.prepare('delete from session where id = ?');
  const removeByToken = database.prepare('delete from session where token = ?');
  const endSurplus = database.prepare(
    `delete from session where id in (select session.id from session
       join session_clock on session_clock.session_id = session.id where session.userId = ?
       order by session_clock.active_at desc, session_clock.rowid desc limit -1 offset ?)`,
  );
  const expired = database.prepare(
    `delete from session where id in (select session_id from session_clock where active_at <= ? or started_at <= ?)
       or id not in (select session_id from session_clock) and createdAt < ?`,
  );

  const living = (row: Record<string, unknown> | undefined): SessionRow | undefined => {
    if (row === undefined) return undefined;
    const startedAt = Number(row.startedAt);
    const activeAt = Number(row.activeAt);
    const session: SessionRow = {
      id: String(row.id),
      userId: String(row.userId),
      startedAt,
      activeAt,
      idleEndsAt: activeAt + limits.idleMs,
      absoluteEndsAt: startedAt + limits.absoluteMs,
      address: String(row.ipAddress ?? ''),
      userAgent: String(row.userAgent ?? ''),
    };
    if (now() < session.idleEndsAt && now() < session.absoluteEndsAt) return session;
    remove.run(session.id);
    return undefined;
  };
  const hashed = (token: string): string => secretHash(token).toString('base64url');

  return {
    adopt(token, { address, userAgent }) {
      const secret = newSessionSecret();
      const row = hide.get(hashed(secret), address, userAgent.slice(0, 300), token);
      if (row === undefined) return undefined;
      start.run(String(row.id), now(), now());
      endSurplus.run(String(row.userId), sessionsMax);
      const session = living(byId.get(String(row.id)));
      return session === undefined ? undefined : { session, secret };
    },
    discard: (token) => void removeByToken.run(token),
    find: (token) => living(byToken.get(hashed(token))),
    findById: (id) => living(byId.get(id)),
    touch: (id) => void active.run(now(), id),
    listOf: (userId) => byUser.all(userId).flatMap((row) => living(row) ?? []),
    end: (id) => void remove.run(id),
    endAll(userId, butId) {
      const ending = byUser
        .all(userId)
        .map((row) => String(row.id))
        .filter((id) => id !== butId);
      for (const id of ending) remove.run(id);
      return ending;
    },
    endExpired() {
      const time = now();
      // A session that was never adopted is of a sign-in that was cut off: an hour is long enough for it.
      const abandoned = new Date(time - 3_600_000).toISOString();
      expired.run(time - limits.idleMs, time - limits.absoluteMs, abandoned);
    },
  };
}
