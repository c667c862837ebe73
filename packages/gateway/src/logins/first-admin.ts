import { rmSync, writeFileSync } from 'node:fs';
import { newCode } from './secrets.ts';
import type { Users } from './users.ts';

/** The way in while there is no user: a one-time code that whoever may read the gateway's files can read. */
export interface FirstAdmin {
  readonly isExpected: boolean;
  /** The file with the code, where one is expected. */
  readonly file: string;
  /** The code was used: its file goes. */
  used(): void;
}

/**
 * Makes a code if there is no user, and writes it to `file` (mode 0600): never to a log, which others read. The store has
 * its hash. Each start makes a new one, so an old code that was seen is worth nothing.
 */
export function createFirstAdmin(users: Users, file: string): FirstAdmin {
  const remove = (): void => {
    try {
      rmSync(file, { force: true });
    } catch {
      // The folder may not be ours to change; the code in the file is worth nothing any more.
    }
  };
  if (users.count > 0) remove();
  else {
    const code = newCode();
    users.expectFirst(code);
    remove();
    writeFileSync(file, `${code}\n`, { mode: 0o600, flag: 'wx' });
  }
  return {
    get isExpected() {
      return users.count === 0;
    },
    file,
    used: remove,
  };
}
