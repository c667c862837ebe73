import type { DatabaseSync } from 'node:sqlite';
import { APIError, betterAuth } from 'better-auth';
import { username } from 'better-auth/plugins/username';
import { passwordLength } from './password-rule.ts';

/** What better-auth does for us. No route of it is mounted: only this file knows it. */
export interface LoginLibrary {
  /** A salted scrypt hash; costs some 60 ms of a thread and 32 MiB. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(hash: string, password: string): Promise<boolean>;
  /** Checks a password and opens a session; null if name or password is wrong. Takes as long for a name that nobody has. */
  signIn(name: string, password: string): Promise<{ readonly token: string; readonly userId: string } | null>;
}

/** How passwords are hashed, in place of the library's own scrypt: tests that are about something else take a quick one. */
export interface PasswordHashing {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (o: { readonly hash: string; readonly password: string }) => Promise<boolean>;
}

/** The library's settings: also what its own migrations are computed from, in a test. */
export function libraryOptions(database: DatabaseSync, secret: string, hashing?: PasswordHashing) {
  const own = { type: 'string' as const, required: true, input: false };
  const flag = { type: 'boolean' as const, required: true, input: false };
  return {
    database,
    secret,
    // Never called from outside, so its address and its check of origins have no part in anything.
    baseURL: 'http://gateway.invalid',
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      ...(hashing === undefined ? {} : { password: hashing }),
    },
    // Our own clocks end sessions; this one only has to be longer.
    session: { expiresIn: 400 * 86_400, disableSessionRefresh: true },
    user: { additionalFields: { role: own, disabled: flag, mustChangePassword: flag } },
    plugins: [
      username({
        minUsernameLength: 1,
        maxUsernameLength: 64,
        usernameValidator: () => true,
        usernameNormalization: (name: string) => name.toLowerCase(),
      }),
    ],
  };
}

/** Sets the library up on the store of accounts. `secret` is for cookies of its own, which are never sent. */
export async function createLoginLibrary(
  database: DatabaseSync,
  secret: string,
  hashing?: PasswordHashing,
): Promise<LoginLibrary> {
  const auth = betterAuth(libraryOptions(database, secret, hashing));
  const { password } = await auth.$context;
  return {
    hashPassword: (text) => password.hash(text),
    verifyPassword: (hash, text) => password.verify({ hash, password: text }),
    async signIn(name, text) {
      try {
        const { token, user } = await auth.api.signInUsername({ body: { username: name, password: text } });
        return { token, userId: user.id };
      } catch (error) {
        if (error instanceof APIError && Number(error.statusCode) < 500) return null;
        throw error;
      }
    },
  };
}
