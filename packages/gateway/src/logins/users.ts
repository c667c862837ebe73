import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { Role } from '@setkeeper/api';
import { inTransaction } from './account-store.ts';
import { secretHash } from './secrets.ts';

/** A user of the gateway. */
export interface User {
  readonly id: string;
  /** What is typed to sign in: lower case. */
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  /** The password was made by somebody else: nothing works before it is changed. */
  readonly mustChangePassword: boolean;
}

/** A user with what an admin wants to know. Times are ISO-8601, UTC. */
export interface UserRow extends User {
  readonly createdAt: string;
  readonly lastActiveAt: string | null;
  readonly sessions: number;
  readonly tokens: number;
}

/** What a user is made of. */
export interface NewUser {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
}

/** The users in the store. Every change is one transaction. */
export interface Users {
  readonly count: number;
  find(id: string): User | undefined;
  findByName(name: string): User | undefined;
  passwordHashOf(id: string): string | undefined;
  list(): readonly UserRow[];
  add(user: NewUser): User | 'name-taken';
  /** Consumes the one-time code and makes the first user, an admin, together or not at all. */
  addFirst(code: string, user: Omit<NewUser, 'role'>): User | 'wrong-code' | 'not-first';
  /** Lets this one-time code make the first user, and no other code. */
  expectFirst(code: string): void;
  change(
    id: string,
    change: { readonly role?: Role | undefined; readonly disabled?: boolean | undefined },
  ): User | 'no-such-user' | 'last-admin';
  setPassword(id: string, passwordHash: string, mustChangePassword: boolean): void;
}

const nameForm = /^[a-z0-9][a-z0-9_.@-]{0,63}$/u;

/** Why a name cannot be a user's; undefined for a good one. */
export const userNameFault = (name: string): string | undefined =>
  nameForm.test(name) ? undefined : 'a name has 1 to 64 of a-z 0-9 _ . @ - and starts with a letter or digit';

/** Reads and writes users. `now`: milliseconds since 1970. */
export function createUsers(database: DatabaseSync, now: () => number): Users {
  const columns = 'user.id, user.username, user.role, user.disabled, user.mustChangePassword, user.createdAt';
  const byId = database.prepare(`select ${columns} from user where id = ?`);
  const byName = database.prepare(`select ${columns} from user where username = ?`);
  const all = database.prepare(
    `select ${columns},
       (select max(active_at) from session_clock join session on session.id = session_clock.session_id where session.userId = user.id) as activeAt,
       (select count(*) from session where session.userId = user.id) as sessions,
       (select count(*) from api_token where user_id = user.id and revoked_at is null and expires_at > ?) as tokens
     from user order by user.username`,
  );
  const countUsers = database.prepare('select count(*) as n from user');
  const countAdmins = database.prepare(
    `select count(*) as n from user where role = 'admin' and disabled = 0 and id <> ?`,
  );
  const insertUser = database.prepare(
    `insert into user (id, name, email, emailVerified, createdAt, updatedAt, username, displayUsername, role, disabled, mustChangePassword)
     values (?, ?, ?, 0, ?, ?, ?, ?, ?, 0, ?)`,
  );
  const insertAccount = database.prepare(
    `insert into account (id, accountId, providerId, userId, password, createdAt, updatedAt) values (?, ?, 'credential', ?, ?, ?, ?)`,
  );
  const password = database.prepare(`select password from account where userId = ? and providerId = 'credential'`);
  const count = (): number => Number(countUsers.get()?.n ?? 0);
  const find = (id: string): User | undefined => userOf(byId.get(id));

  const insert = ({ name, role, passwordHash, mustChangePassword }: NewUser): User => {
    const id = randomUUID();
    const at = new Date(now()).toISOString();
    // The library wants an address of every user; nobody is ever written to.
    insertUser.run(id, name, `${id}@users.invalid`, at, at, name, name, role, mustChangePassword ? 1 : 0);
    insertAccount.run(randomUUID(), id, id, passwordHash, at, at);
    return { id, name, role, disabled: false, mustChangePassword };
  };

  return {
    get count() {
      return count();
    },
    find,
    findByName: (name) => userOf(byName.get(name.toLowerCase())),
    passwordHashOf(id) {
      const hash = password.get(id)?.password;
      return typeof hash === 'string' ? hash : undefined;
    },
    list: () =>
      all.all(now()).flatMap((row) => {
        const user = userOf(row);
        if (user === undefined) return [];
        const active = row.activeAt === null ? null : new Date(Number(row.activeAt)).toISOString();
        const counts = { sessions: Number(row.sessions), tokens: Number(row.tokens) };
        return [{ ...user, createdAt: String(row.createdAt), lastActiveAt: active, ...counts }];
      }),
    add: (user) =>
      inTransaction(database, () => (byName.get(user.name) === undefined ? insert(user) : ('name-taken' as const))),
    addFirst: (code, user) =>
      inTransaction(database, () => {
        if (count() > 0) return 'not-first';
        const { changes } = database.prepare('delete from first_admin where hash = ?').run(secretHash(code));
        return Number(changes) === 1 ? insert({ ...user, role: 'admin' }) : 'wrong-code';
      }),
    expectFirst(code) {
      database.prepare('insert or replace into first_admin (one, hash) values (1, ?)').run(secretHash(code));
    },
    change: (id, { role, disabled }) =>
      inTransaction(database, () => {
        const user = find(id);
        if (user === undefined) return 'no-such-user';
        const next = { ...user, role: role ?? user.role, disabled: disabled ?? user.disabled };
        const losesAdmin = user.role === 'admin' && !user.disabled && (next.role !== 'admin' || next.disabled);
        if (losesAdmin && Number(countAdmins.get(id)?.n ?? 0) === 0) return 'last-admin';
        database
          .prepare('update user set role = ?, disabled = ?, updatedAt = ? where id = ?')
          .run(next.role, next.disabled ? 1 : 0, new Date(now()).toISOString(), id);
        return next;
      }),
    setPassword(id, passwordHash, mustChangePassword) {
      inTransaction(database, () => {
        const at = new Date(now()).toISOString();
        database
          .prepare(`update account set password = ?, updatedAt = ? where userId = ? and providerId = 'credential'`)
          .run(passwordHash, at, id);
        database
          .prepare('update user set mustChangePassword = ?, updatedAt = ? where id = ?')
          .run(mustChangePassword ? 1 : 0, at, id);
      });
    },
  };
}

function userOf(row: Record<string, SQLOutputValue> | undefined): User | undefined {
  if (row === undefined) return undefined;
  return {
    id: String(row.id),
    name: String(row.username),
    role: Role.parse(row.role),
    disabled: Number(row.disabled) !== 0,
    mustChangePassword: Number(row.mustChangePassword) !== 0,
  };
}
