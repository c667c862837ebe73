import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const ADDRESS = '\0setkeeper-writer';
const RETRY_MS = 50;

/** The one-writer lock of this process's network namespace, once it is held. */
export interface WriterLock {
  /** The open file that is the lock: every writing child inherits it, so the lock outlives this process in them. */
  readonly fd: number;
}

/**
 * Takes the lock: an abstract unix socket, which Linux scopes to the network namespace and frees when its last holder
 * is gone (unix(7)). Tries for `waitMs`, because the children of an agent that was killed die a moment after it.
 */
export async function takeWriterLock(waitMs: number): Promise<WriterLock | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const server = await tryListen();
    if (server !== null) return { fd: fdOf(server) };
    if (performance.now() >= deadline) return null;
    await delay(RETRY_MS);
  }
}

function tryListen(): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen({ path: ADDRESS }, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Node hands a listening socket to a child only by its number, which it keeps on the handle. */
function fdOf(server: Server): number {
  const handle: unknown = Reflect.get(server, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof fd !== 'number' || fd < 0)
    throw new Error('the writer lock has no file descriptor on this version of Node');
  return fd;
}
