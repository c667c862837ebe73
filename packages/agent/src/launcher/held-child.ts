import { accessSync, constants } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import {
  type FromLauncher,
  OUTPUT_WINDOW_BYTES,
  type OutputStream,
  type ToLauncher,
  WRITE_MAX_BYTES,
} from './launcher-message.ts';

const NEWLINE = 10;
const FORCE_KILL_AFTER_MS = 2_000;

export interface HeldChildOptions {
  readonly request: Extract<ToLauncher, { kind: 'spawn' }>;
  /** `setpriv`, so that the child dies with the launcher; null where it is not installed. */
  readonly setpriv: string | null;
  /** The writer lock's open file, for a child that writes. */
  readonly lockFd: number | null;
  readonly send: (message: FromLauncher) => void;
  readonly onGone: () => void;
}

/** A child on the launcher's side: its pipes are forwarded, whole writes in, credit-bound chunks out. */
export interface HeldChild {
  write(chunk: Uint8Array): void;
  end(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  credit(stream: OutputStream, bytes: number): void;
}

/** Starts a child. Whatever happens to it, exactly one `exit` message is sent, and it is the last one. */
export function holdChild({ request, setpriv, lockFd, send, onGone }: HeldChildOptions): HeldChild {
  const { id } = request;
  const missing = missingReason(request.file);
  if (missing !== null) {
    send({ kind: 'started', id, pid: null });
    send({ kind: 'exit', id, exitCode: null, signal: null, spawnError: missing });
    onGone();
    return GONE;
  }

  const command = setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
  const [file = request.file, ...args] = [...command, request.file, ...request.args];
  const child = execa(file, args, {
    env: request.env,
    extendEnv: false,
    cwd: '/',
    // execa's types know the numbers 3 to 9 only; its code, like Node's, takes any open file.
    stdio: ['pipe', 'pipe', 'pipe', lockFd === null ? 'ignore' : (lockFd as 3)],
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    forceKillAfterDelay: FORCE_KILL_AFTER_MS,
    ...(request.timeoutMs > 0 ? { timeout: request.timeoutMs } : {}),
  });
  send({ kind: 'started', id, pid: child.pid ?? null });

  const forwarders: Record<OutputStream, Forwarder> = {
    stdout: forward(child.stdout, (chunk) => send({ kind: 'output', id, stream: 'stdout', chunk })),
    stderr: forward(child.stderr, (chunk) => send({ kind: 'output', id, stream: 'stderr', chunk })),
  };
  // A child that ends while it is written to is no fault of ours: `exit` tells the story.
  child.stdin.on('error', () => undefined);

  void Promise.all([child, forwarders.stdout.ended, forwarders.stderr.ended]).then(([end]) => {
    send({
      kind: 'exit',
      id,
      exitCode: end.exitCode ?? null,
      signal: end.signal ?? null,
      ...(end.exitCode === undefined && end.signal === undefined
        ? { spawnError: end.originalMessage ?? 'could not be started' }
        : {}),
      ...(end.timedOut ? { timedOut: true as const } : {}),
    });
    onGone();
  });

  // One after the other: together they would be one write, which can be cut inside a line.
  const chunks: Uint8Array[] = [];
  const writeNext = (): void => {
    const [chunk] = chunks;
    if (chunk === undefined) return;
    writeWhole(child.stdin, chunk, (isTaken) => {
      chunks.shift();
      send({ kind: 'wrote', id, isTaken });
      writeNext();
    });
  };

  return {
    write: (chunk) => {
      if (chunks.push(chunk) === 1) writeNext();
    },
    end: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    credit: (stream, bytes) => forwarders[stream].credit(bytes),
  };
}

const GONE: HeldChild = {
  write: () => undefined,
  end: () => undefined,
  kill: () => undefined,
  credit: () => undefined,
};

function missingReason(file: string): string | null {
  try {
    accessSync(file, constants.X_OK);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : `${file} cannot be run`;
  }
}

/** Writes piece by piece, each a whole number of lines that the pipe takes at once or not at all, one under way at a time. */
function writeWhole(stdin: Writable, chunk: Uint8Array, done: (isTaken: boolean) => void): void {
  const end = pieceEnd(chunk);
  const piece = chunk.subarray(0, end);
  if (stdin.destroyed || stdin.writableEnded) {
    done(false);
    return;
  }
  stdin.write(piece, (error) => {
    if (error) done(false);
    else if (end >= chunk.byteLength) done(true);
    else writeWhole(stdin, chunk.subarray(end), done);
  });
}

function pieceEnd(chunk: Uint8Array): number {
  if (chunk.byteLength <= WRITE_MAX_BYTES) return chunk.byteLength;
  const lastNewline = chunk.lastIndexOf(NEWLINE, WRITE_MAX_BYTES - 1);
  return lastNewline < 0 ? WRITE_MAX_BYTES : lastNewline + 1;
}

interface Forwarder {
  credit(bytes: number): void;
  readonly ended: Promise<void>;
}

/** Forwards chunks while the reader has credit, and pauses the stream when it has not. */
function forward(stream: Readable, sendChunk: (chunk: Uint8Array) => void): Forwarder {
  let credit = OUTPUT_WINDOW_BYTES;
  stream.on('data', (chunk: Uint8Array) => {
    credit -= chunk.byteLength;
    sendChunk(chunk);
    if (credit <= 0) stream.pause();
  });
  return {
    credit(bytes) {
      credit += bytes;
      if (credit > 0 && stream.isPaused()) stream.resume();
    },
    ended: new Promise((resolve) => stream.once('close', () => resolve())),
  };
}
