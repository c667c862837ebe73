import { chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findGroup, findUser } from './unix-accounts.ts';

/** What the gateway is after it has given up root. */
export interface Unprivileged {
  readonly user: string;
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups: those of the agents' sockets, and no other. */
  readonly groups: readonly number[];
}

/** Who the gateway becomes when root starts it. */
const users = ['setkeeper-gateway', 'nobody'];

/** Decides what to become. `sockets` are of the group that may ask the agents; a socket that is not there yet is of `setkeeper`. */
export function planUnprivileged(sockets: readonly string[]): Unprivileged {
  const user = findUser(users);
  if (user === undefined || user.uid === 0)
    throw new Error('there is no user to run as: create setkeeper-gateway (useradd --system setkeeper-gateway)');
  const groups = new Set<number>();
  for (const socket of sockets) {
    const group = existsSync(socket) ? statSync(socket).gid : findGroup('setkeeper');
    if (group !== undefined) groups.add(group);
  }
  groups.delete(user.gid);
  return { user: user.name, uid: user.uid, gid: user.gid, groups: [...groups] };
}

/**
 * Gives the store's files, and a folder that holds nothing else, to whom the gateway will be. The store must be open:
 * its companions (`-wal`, `-shm`) are there then.
 */
export function handOverStore(store: string, { uid, gid }: Unprivileged): void {
  const folder = dirname(store);
  const isOurs = (name: string): boolean => name === 'first-admin-code' || name.startsWith(basename(store));
  const names = readdirSync(folder);
  for (const name of names) if (isOurs(name)) chownSync(join(folder, name), uid, gid);
  if (names.every(isOurs)) chownSync(folder, uid, gid);
}

/** Gives up root for good. Throws if anything of it could be had back. */
export function dropPrivileges({ uid, gid, groups }: Unprivileged): void {
  const { setgroups, setgid, setuid, getuid, getgid } = process;
  if (!setgroups || !setgid || !setuid || !getuid || !getgid) throw new Error('this system has no users');
  // Groups first: without uid 0 they cannot be changed any more.
  setgroups.call(process, [...groups]);
  setgid.call(process, gid);
  setuid.call(process, uid);
  if (getuid.call(process) !== uid || getgid.call(process) !== gid) throw new Error('root was not given up');
  try {
    setuid.call(process, 0);
  } catch {
    return;
  }
  throw new Error('root could be had back');
}
