import { connect } from 'node:net';
import type { Door } from './ask.ts';

/** How long whoever gets the bytes may keep the connection open after our end of it is closed. */
const HANGS_MS = 45_000;

/** Sends bytes and closes; resolves with the status of the first answer, or null if there was none. */
export function throwBytes(door: Door, bytes: Uint8Array): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const connection = connect('socketPath' in door ? { path: door.socketPath } : door);
    const hanging = setTimeout(() => {
      connection.destroy();
      reject(new Error(`a connection was kept open for ${HANGS_MS / 1000} s after malformed bytes`));
    }, HANGS_MS);
    connection.on('connect', () => connection.end(bytes));
    connection.on('data', (chunk: Buffer) => {
      if (answer.length < 20) answer += chunk.toString('latin1');
    });
    // Reset by the other side while we still wrote: that is an answer, too.
    connection.on('error', () => undefined);
    connection.on('close', () => {
      clearTimeout(hanging);
      const status = /^HTTP\/1\.[01] (\d{3})/u.exec(answer)?.[1];
      resolve(status === undefined ? null : Number(status));
    });
  });
}
