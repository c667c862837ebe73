import { type ChildExit, ChildGoneError, type LauncherChild, type SpawnRequest } from './launcher-client.ts';
import type { FromLauncher, OutputStream, ToLauncher } from './launcher-message.ts';

const WRITE_MAX_BYTES = 64 * 1024;
/** Writes given to the launcher that it has not answered: the child must not wait for the way there and back. */
const WRITES_UNDER_WAY_MAX = 4;
const NEWLINE = 10;

/** The agent's side of one child: queues writes, delivers output in order, and settles `exit` after the last of it. */
export class ClientChild implements LauncherChild {
  readonly pid: Promise<number | null>;
  readonly exit: Promise<ChildExit>;
  readonly #id: number;
  readonly #request: SpawnRequest;
  readonly #send: (message: ToLauncher) => void;
  /** Those under way first, then those that wait. */
  readonly #writes: PendingWrite[] = [];
  readonly #deliveries: Record<OutputStream, Promise<void>> = { stdout: Promise.resolve(), stderr: Promise.resolve() };
  #resolvePid: (pid: number | null) => void = () => undefined;
  #resolveExit: (exit: ChildExit) => void = () => undefined;
  #isStarted = false;
  #isGone = false;
  #endsAfterWrites = false;

  constructor(id: number, request: SpawnRequest, send: (message: ToLauncher) => void) {
    this.#id = id;
    this.#request = request;
    this.#send = send;
    this.pid = new Promise((resolve) => {
      this.#resolvePid = resolve;
    });
    this.exit = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
  }

  write(chunk: Uint8Array): Promise<void> {
    if (chunk.byteLength > WRITE_MAX_BYTES || chunk.at(-1) !== NEWLINE) {
      throw new RangeError('A write to a child is whole lines, at most 64 KiB');
    }
    if (this.#isGone || this.#endsAfterWrites) return Promise.reject(new ChildGoneError());
    return new Promise((resolve, reject) => {
      this.#writes.push({ chunk, resolve, reject });
      if (this.#writes.length <= WRITES_UNDER_WAY_MAX) this.#send({ kind: 'write', id: this.#id, chunk });
    });
  }

  end(): void {
    if (this.#endsAfterWrites) return;
    this.#endsAfterWrites = true;
    if (this.#writes.length === 0) this.#send({ kind: 'end', id: this.#id });
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (!this.#isGone) this.#send({ kind: 'kill', id: this.#id, signal });
  }

  /** A message of the launcher about this child. */
  receive(message: Extract<FromLauncher, { id: number }>): void {
    switch (message.kind) {
      case 'started':
        this.#isStarted = message.pid !== null;
        this.#resolvePid(message.pid);
        break;
      case 'wrote':
        this.#wrote(message.isTaken);
        break;
      case 'output':
        this.#deliver(message.stream, message.chunk);
        break;
      case 'exit': {
        const { exitCode, signal, spawnError, timedOut } = message;
        this.#gone({
          exitCode,
          signal,
          ...(spawnError === undefined ? {} : { spawnError }),
          ...(timedOut === undefined ? {} : { timedOut }),
        });
      }
    }
  }

  /** The launcher is gone, and this child with it. */
  lose(why: string): void {
    if (!this.#isGone) this.#gone({ exitCode: null, signal: this.#isStarted ? 'SIGKILL' : null, spawnError: why });
  }

  #wrote(isTaken: boolean): void {
    const write = this.#writes.shift();
    if (write === undefined) return;
    if (isTaken) write.resolve();
    else write.reject(new ChildGoneError());
    const next = this.#writes[WRITES_UNDER_WAY_MAX - 1];
    if (next !== undefined) this.#send({ kind: 'write', id: this.#id, chunk: next.chunk });
    else if (this.#writes.length === 0 && this.#endsAfterWrites) this.#send({ kind: 'end', id: this.#id });
  }

  #deliver(stream: OutputStream, chunk: Uint8Array): void {
    const handler = stream === 'stdout' ? this.#request.onStdout : this.#request.onStderr;
    // In order, and no credit before the handler is done: a slow reader pauses the child.
    this.#deliveries[stream] = this.#deliveries[stream].then(async () => {
      await handler?.(chunk);
      if (!this.#isGone) this.#send({ kind: 'credit', id: this.#id, stream, bytes: chunk.byteLength });
    });
  }

  #gone(exit: ChildExit): void {
    this.#isGone = true;
    this.#resolvePid(null);
    for (const write of this.#writes.splice(0)) write.reject(new ChildGoneError());
    void Promise.allSettled([this.#deliveries.stdout, this.#deliveries.stderr]).then(() => this.#resolveExit(exit));
  }
}

interface PendingWrite {
  readonly chunk: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: ChildGoneError) => void;
}
