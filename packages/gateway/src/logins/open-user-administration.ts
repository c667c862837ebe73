import { createAccountLog } from './account-log.ts';
import { openAccountStore } from './account-store.ts';
import { createApiTokens } from './api-tokens.ts';
import { createLoginLibrary } from './login-library.ts';
import { createSessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { createUserAdministration, type UserAdministration } from './user-administration.ts';
import { createUsers } from './users.ts';

/**
 * Opens the store of a gateway on its own host, beside the gateway if it runs: what is changed holds from its next request
 * on, and streams end within 20 s. Throws with a sentence where the store cannot be opened.
 */
export async function openUserAdministration(store: string): Promise<UserAdministration & { close(): void }> {
  const now = (): number => Date.now();
  const database = openAccountStore(store);
  // No password is checked here, so the secret for cookies that are never sent may be any.
  const library = await createLoginLibrary(database, crypto.randomUUID() + crypto.randomUUID());
  const administration = createUserAdministration({
    users: createUsers(database, now),
    sessions: createSessions(database, { idleMs: Number.MAX_SAFE_INTEGER, absoluteMs: Number.MAX_SAFE_INTEGER }, now),
    tokens: createApiTokens(database, now),
    log: createAccountLog(database, now),
    throttle: createThrottle(database, now),
    hash: (password) => library.hashPassword(password),
  });
  return { ...administration, close: () => database.close() };
}
