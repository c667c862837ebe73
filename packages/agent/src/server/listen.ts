import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';

/** Where a server listens: a path that we make, or a descriptor that systemd made. */
export type SocketPlace =
  | { readonly kind: 'path'; readonly path: string; readonly mode: number; readonly group: string | null }
  | { readonly kind: 'descriptor'; readonly descriptor: number };

/** A socket that cannot be had; the message is a sentence for the operator. */
export class SocketFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SocketFault';
  }
}

/** Bytes of a unix socket's path (`sun_path` of unix(7), without its end). */
const PATH_BYTES_MAX = 107;

/**
 * Starts listening. A socket file that a dead process left is removed, one that still answers never. The file has its
 * mode from its first moment (umask), so nobody slips in between.
 */
export async function listen(server: Server, place: SocketPlace): Promise<void> {
  if (place.kind === 'descriptor') return listening(server, () => server.listen({ fd: place.descriptor }));
  const { path, mode, group } = place;
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new SocketFault(`The socket path ${path} is longer than ${PATH_BYTES_MAX} bytes. Choose a shorter one.`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  await removeStale(path);
  const before = process.umask(0o777 & ~OWNER_ONLY);
  try {
    await listening(server, () => server.listen(path));
  } finally {
    process.umask(before);
  }
  const gid = group === null ? null : groupId(group);
  if (gid !== null) giveToGroup(path, gid);
  chmodSync(path, mode);
}

const OWNER_ONLY = 0o600;

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new SocketFault(`The socket cannot be opened: ${error.message}.`, error));
    server.once('error', fail);
    server.once('listening', () => {
      server.off('error', fail);
      resolve();
    });
    start();
  });
}

async function removeStale(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isSocket()) throw new SocketFault(`${path} exists and is no socket. Remove it or choose another path.`);
  if (await answers(path))
    throw new SocketFault(`Another program answers on ${path}. Stop it first, or choose another path.`);
  unlinkSync(path);
}

/** Refused and missing mean that nobody is there; everything else means that somebody may be. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

function groupId(name: string): number | null {
  let groups: string;
  try {
    groups = readFileSync('/etc/group', 'utf8');
  } catch {
    return null;
  }
  const line = groups.split('\n').find((candidate) => candidate.startsWith(`${name}:`));
  const gid = Number(line?.split(':')[2]);
  return line !== undefined && Number.isSafeInteger(gid) ? gid : null;
}

function giveToGroup(path: string, gid: number): void {
  try {
    chownSync(path, process.getuid?.() ?? 0, gid);
  } catch {
    // Not in that group and not root: the socket keeps our own group, which is as closed.
  }
}
