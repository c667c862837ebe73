import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Door } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { throwBytes } from '../host/throw-bytes.ts';
import type { Trial } from '../trial.ts';

const SLOW = 150;
const BYTE_EVERY_MS = 400;
/** Beyond any limit of the gateway: then a slow caller was let in for ever. */
const PATIENCE_MS = 90_000;
const MIB = 1024 * 1024;

/** Slow-loris and oversized requests: the gateway ends each by itself, and answers others all the while. */
export const slowCallers: Trial = {
  name: 'slow',
  title: 'slow-loris and oversized requests',
  run: async ({ host }) => {
    const { gateway, admin } = host.doors;
    let isOver = false;
    let answered = 0;
    const others = (async () => {
      while (!isOver) {
        const { status } = await ask(gateway, { path: '/api/trpc/status.settled', headers: host.as.viewer });
        if (status !== 200) throw new Error(`a good request beside slow ones got ${status}`);
        answered += 1;
        await delay(50);
      }
    })();
    const closed = Promise.all(Array.from({ length: SLOW }, () => drip(gateway)));
    const sizes = await oversized(host);
    await Promise.race([closed, others]);
    await closed;
    isOver = true;
    await others;
    host.requireWell();
    const again = await ask(admin, { path: '/api/trpc/status.settled' });
    if (again.status !== 200) throw new Error(`the agent answers ${again.status}`);
    return {
      figures: [
        ['slow-loris callers at the gateway', `${SLOW} ended by it; ${answered} good requests answered beside them`],
        ['oversized heads and bodies refused', `${sizes} of ${sizes} at gateway and agent`],
      ],
    };
  },
};

/** Sends a head byte by byte; resolves when the other side ends it. */
function drip(door: Door): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect('socketPath' in door ? { path: door.socketPath } : door);
    const head = `GET /api/session HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ${'x'.repeat(30_000)}`;
    let at = 0;
    const dripping = setInterval(() => socket.write(head[at++] ?? 'x'), BYTE_EVERY_MS);
    const tooLong = setTimeout(() => {
      socket.destroy();
      reject(new Error(`a slow caller was let in for ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(dripping);
      clearTimeout(tooLong);
      resolve();
    });
  });
}

/** What is too large, and the status that says so. Gives how many were refused. */
async function oversized({ doors, as }: FaultHost): Promise<number> {
  const login = Object.entries(as.operator)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const request = (path: string, more: string, body = ''): Uint8Array =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${login}content-type: application/json\r\n${more}\r\n${body}`,
    );
  const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`;
  const cases: readonly (readonly [what: string, bytes: Uint8Array, status: number])[] = [
    ['a head', request('/api/trpc/pins.add', `x-large: ${'x'.repeat(64 * 1024)}\r\n`), 431],
    ['a body that says its size', request('/api/trpc/pins.add', `content-length: ${2 * MIB}\r\n`, 'x'), 413],
    ['a body in pieces', request('/api/trpc/pins.add', 'transfer-encoding: chunked\r\n', chunk.repeat(2)), 413],
    ['documents that say their size', request('/api/trpc/model.put', `content-length: ${64 * MIB}\r\n`, 'x'), 413],
    ['documents in pieces', request('/api/trpc/model.put', 'transfer-encoding: chunked\r\n', chunk.repeat(18)), 413],
  ];
  let refused = 0;
  for (const [name, door] of [
    ['gateway', doors.gateway],
    ['agent', doors.admin],
  ] as const) {
    for (const [what, bytes, status] of cases) {
      const got = await throwBytes(door, bytes);
      // Null: the connection was cut while we still wrote, before the answer could be read.
      if (got !== status && got !== null) throw new Error(`${what} at the ${name}: ${got}, not ${status}`);
      refused += 1;
    }
  }
  return refused;
}
