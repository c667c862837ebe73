import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Door } from '../host/ask.ts';
import { descriptorCount } from '../host/descendants.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { until } from '../host/until.ts';
import { createModelWriter } from '../load/model-writer.ts';
import type { Trial } from '../trial.ts';

const AT_ONCE = 12;
const STAYS_MS_MAX = 250;
/** Descriptors that may come and go for other reasons: children, the model directory. */
const DESCRIPTORS_SLACK = 8;

/**
 * Event streams that are opened with nonsense, read in part, never read, or cut, while events flow. Beside them one
 * reader reads well and must miss nothing; in the end nothing of the others is left in the agent.
 */
export const eventStreams: Trial = {
  name: 'streams',
  title: 'fuzzed event streams',
  run: async ({ host, model, sizes, random }) => {
    const writer = createModelWriter(model, random);
    const reader = readWell(host.doors.admin);
    writer.resume();
    await until('the first event', () => (reader.count > 0 ? true : undefined));
    const before = descriptorCount(host.agent.pid);
    for (let opened = 0; opened < sizes.streams; opened += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => openAndLeave(host, random)));
    await writer.pause();
    host.requireWell();
    await until('the descriptors of ended streams to be closed', () =>
      descriptorCount(host.agent.pid) <= before + DESCRIPTORS_SLACK ? true : undefined,
    );
    const read = reader.count;
    model.change(5);
    await until('events after all that', () => (reader.count > read ? true : undefined));
    reader.close();
    if (reader.fault !== null) throw new Error(reader.fault);
    return {
      figures: [
        [
          'fuzzed event streams at both sockets',
          `${sizes.streams} opened; a reader beside them read ${reader.count} events, none missing`,
        ],
      ],
    };
  },
};

/** Opens one as its chance has it, stays a moment, and goes without a word. */
async function openAndLeave(host: FaultHost, random: () => number): Promise<void> {
  const isDirect = random() < 0.5;
  const lastId = nonsense(random);
  const inQuery = random() < 0.4 ? `?input=${encodeURIComponent(JSON.stringify({ lastEventId: lastId }))}` : '';
  const headers = isDirect ? {} : host.as.viewer;
  const socket = open(isDirect ? host.doors.admin : host.doors.gateway, `/api/trpc/events.watch${inQuery}`, {
    ...headers,
    ...(random() < 0.7 ? { 'last-event-id': lastId } : {}),
  });
  if (random() < 0.5) socket.pause();
  else socket.resume();
  await delay(random() * STAYS_MS_MAX);
  if (random() < 0.3) socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n');
  if (random() < 0.3) socket.end();
  socket.destroy();
}

const nonsense = (random: () => number): string => {
  const kinds = ['-', '0', '-1', 'x'.repeat(3_000), `zz-${Math.floor(random() * 1e9)}`, '1e9-1e9', '%00', '{}', ''];
  return kinds[Math.floor(random() * kinds.length)] ?? '';
};

function open(door: Door, path: string, headers: Readonly<Record<string, string>>): Socket {
  const socket = connect('socketPath' in door ? { path: door.socketPath } : door);
  const lines = Object.entries({ host: '127.0.0.1', accept: 'text/event-stream', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** Reads a stream as a client should, and says when a number is missing. */
function readWell(door: Door): { readonly count: number; readonly fault: string | null; close(): void } {
  const socket = open(door, '/api/trpc/events.watch', {});
  let rest = '';
  let last: number | null = null;
  let count = 0;
  let fault: string | null = null;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const sequence = /^id: ?\S+-(\d+)\s*$/u.exec(line)?.[1];
      if (sequence === undefined) continue;
      const number = Number(sequence);
      if (last !== null && number !== last + 1) fault ??= `event ${number} came after ${last}`;
      last = number;
      count += 1;
    }
  });
  socket.on('close', () => {
    fault ??= isClosed ? null : 'the stream of the good reader ended';
  });
  let isClosed = false;
  return {
    get count() {
      return count;
    },
    get fault() {
      return fault;
    },
    close: () => {
      isClosed = true;
      socket.destroy();
    },
  };
}
