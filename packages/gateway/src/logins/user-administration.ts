import type { Role } from '@setkeeper/api';
import type { AccountLog } from './account-log.ts';
import { type ApiTokens, sessionIdOfToken } from './api-tokens.ts';
import { passwordFault } from './password-rule.ts';
import { newCode } from './secrets.ts';
import type { Sessions } from './sessions.ts';
import type { Throttle } from './throttle.ts';
import { type User, type UserRow, type Users, userNameFault } from './users.ts';

/** Who administers, and from where. */
export interface Administrator {
  readonly name: string;
  readonly address: string;
}

/** A user after a change; `password` where one was made, which is shown this once. */
export interface ChangedUser {
  readonly user: User & { readonly password?: string };
  /** Sessions and tokens that ended with it. */
  readonly ended: readonly string[];
}

/** Why nothing was done: `not-good` says why in `reason`. */
export type AdministrationRefusal =
  | { readonly refused: 'name-taken' | 'last-admin' | 'no-such-user' | 'busy' }
  | { readonly refused: 'not-good'; readonly reason: string };

/** What an admin asks for. */
export interface UserChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly resetPassword?: boolean | undefined;
}

/** What admins do with users, whether they come by the gateway or as root of its host. Every act is in the log of accounts. */
export interface UserAdministration {
  list(): readonly UserRow[];
  /** Without a password one is made. Either has to be changed at the first sign-in. */
  add(
    by: Administrator,
    user: { readonly name: string; readonly role: Role; readonly password?: string | undefined },
  ): Promise<ChangedUser | AdministrationRefusal>;
  change(by: Administrator, idOrName: string, change: UserChange): Promise<ChangedUser | AdministrationRefusal>;
}

/** What it works with; `hash` is null when too many hash at this moment. */
export interface AdministrationParts {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly log: AccountLog;
  readonly throttle: Pick<Throttle, 'succeeded'>;
  readonly hash: (password: string) => Promise<string | null>;
}

/** Puts the administration of users together. */
export function createUserAdministration({
  users,
  sessions,
  tokens,
  log,
  throttle,
  hash,
}: AdministrationParts): UserAdministration {
  return {
    list: () => users.list(),

    async add(by, { name, role, password }) {
      const reason = userNameFault(name) ?? (password === undefined ? undefined : passwordFault(password, name));
      if (reason !== undefined) return { refused: 'not-good', reason };
      const first = password ?? newCode();
      const passwordHash = await hash(first);
      if (passwordHash === null) return { refused: 'busy' };
      const user = users.add({ name, role, passwordHash, mustChangePassword: true });
      const result = user === 'name-taken' ? user : 'done';
      log.add({ actor: by.name, act: 'add-user', subject: `${name} (${role})`, address: by.address, result });
      if (user === 'name-taken') return { refused: user };
      return { user: { ...user, ...(password === undefined ? { password: first } : {}) }, ended: [] };
    },

    async change(by, idOrName, { role, disabled, resetPassword = false }) {
      const password = resetPassword ? newCode() : undefined;
      const passwordHash = password === undefined ? undefined : await hash(password);
      if (passwordHash === null) return { refused: 'busy' };
      const before = users.find(idOrName) ?? users.findByName(idOrName);
      const after = before === undefined ? 'no-such-user' : users.change(before.id, { role, disabled });
      const words = [
        role,
        disabled === undefined ? undefined : disabled ? 'disabled' : 'enabled',
        resetPassword ? 'password' : undefined,
      ];
      const subject = `${before?.name ?? idOrName} (${words.filter((word) => word !== undefined).join(', ')})`;
      const result = typeof after === 'string' ? after : 'done';
      log.add({ actor: by.name, act: 'change-user', subject, address: by.address, result });
      if (after === 'no-such-user' || after === 'last-admin') return { refused: after };
      if (typeof after === 'string') return { refused: 'no-such-user' };
      if (passwordHash !== undefined) {
        users.setPassword(after.id, passwordHash, true);
        // What somebody guessed at the old password must not keep its owner from using the new one.
        throttle.succeeded(after.name);
      }
      const ended: string[] = [];
      if (after.disabled || resetPassword) ended.push(...sessions.endAll(after.id));
      if (after.disabled) ended.push(...tokens.listOf(after.id).map((token) => sessionIdOfToken(token.id)));
      const mustChangePassword = after.mustChangePassword || resetPassword;
      return { user: { ...after, mustChangePassword, ...(password === undefined ? {} : { password }) }, ended };
    },
  };
}
