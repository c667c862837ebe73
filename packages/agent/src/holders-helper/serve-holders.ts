import { createServer, type Server, type Socket } from 'node:net';
import type { HolderTools, ToolAnswer } from '../holders/holder-tools.ts';
import { FRAME, frame, parseQuestion, QUESTION_BYTES_MAX } from './holder-wire.ts';

/** The agent asks one question after the other; more than this many at once is somebody else. */
const CONNECTIONS_MAX = 8;
const QUESTION_TIMEOUT_MS = 5_000;

export interface ServeHoldersOptions {
  readonly tools: HolderTools;
  /** Called whenever the last connection has ended: a helper with nothing to do may end too. */
  readonly onIdle: () => void;
  readonly onBusy: () => void;
}

/**
 * Answers questions of the closed list, and nothing else: what comes in is never a command, an option or a file name.
 * Who says anything else is not answered. The server is not listening yet.
 */
export function serveHolders({ tools, onIdle, onBusy }: ServeHoldersOptions): Server {
  let open = 0;
  // Half open: who asks may close its side at once and still hears the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open += 1;
    onBusy();
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      open -= 1;
      if (open === 0) onIdle();
    });
    void answer(socket, tools);
  });
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

async function answer(socket: Socket, tools: HolderTools): Promise<void> {
  const line = await firstLine(socket);
  const question = line === null ? undefined : parseQuestion(line);
  if (question === undefined) {
    socket.destroy();
    return;
  }
  const end = await tools.ask(question, (chunk) => send(socket, FRAME.output, chunk));
  if (socket.destroyed) return;
  socket.end(frame(FRAME.answer, Buffer.from(JSON.stringify(end satisfies ToolAnswer))));
}

function send(socket: Socket, kind: number, payload: Uint8Array): void {
  if (!socket.destroyed) socket.write(frame(kind, payload));
}

/** The first line, or null: it is too long, takes too long, or never ends. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const giveUp = setTimeout(() => resolve(null), QUESTION_TIMEOUT_MS);
    const done = (line: string | null): void => {
      clearTimeout(giveUp);
      resolve(line);
    };
    socket.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(0, QUESTION_BYTES_MAX + 1);
      const end = text.indexOf('\n');
      if (end >= 0) done(text.slice(0, end));
      else if (text.length > QUESTION_BYTES_MAX) done(null);
    });
    socket.once('end', () => done(null));
    socket.once('close', () => done(null));
  });
}
