/**
 * The store of accounts, migration by migration; each is applied once, in order, in one transaction. Never change one that
 * was released: add another. The tables of the library (user, session, account, verification) are as better-auth 1.7
 * wants them, which a test compares with what it would create itself.
 */
export const accountMigrations: readonly string[] = [
  `
  create table user (
    id text not null primary key, name text not null, email text not null unique, emailVerified integer not null,
    image text, createdAt date not null, updatedAt date not null, username text unique, displayUsername text,
    role text not null check (role in ('viewer', 'operator', 'admin')),
    disabled integer not null, mustChangePassword integer not null
  );
  create table session (
    id text not null primary key, expiresAt date not null, token text not null unique, createdAt date not null,
    updatedAt date not null, ipAddress text, userAgent text,
    userId text not null references user (id) on delete cascade
  );
  create table account (
    id text not null primary key, accountId text not null, providerId text not null,
    userId text not null references user (id) on delete cascade, accessToken text, refreshToken text, idToken text,
    accessTokenExpiresAt date, refreshTokenExpiresAt date, scope text, password text, createdAt date not null,
    updatedAt date not null
  );
  create table verification (
    id text not null primary key, identifier text not null, value text not null, expiresAt date not null,
    createdAt date not null, updatedAt date not null
  );
  create index session_userId_idx on session (userId);
  create index account_userId_idx on account (userId);
  create index verification_identifier_idx on verification (identifier);

  -- Ours. Times are milliseconds since 1970.
  create table session_clock (
    session_id text not null primary key references session (id) on delete cascade,
    started_at integer not null, active_at integer not null
  );
  create table api_token (
    id text not null primary key, user_id text not null references user (id) on delete cascade, name text not null,
    role text not null check (role in ('viewer', 'operator', 'admin')), hash blob not null unique,
    created_at integer not null, expires_at integer not null, used_at integer, revoked_at integer
  );
  create index api_token_user on api_token (user_id);
  create table first_admin (one integer not null primary key check (one = 1), hash blob not null);
  create table throttle (key text not null primary key, failures integer not null, last_at integer not null);
  create table account_log (
    id integer primary key autoincrement, at integer not null, actor text not null, act text not null,
    subject text not null, address text not null, result text not null
  );
  `,
  `
  -- The last line of account_log that an agent has in its audit.
  create table account_report (agent text not null primary key, last_id integer not null);
  `,
];
