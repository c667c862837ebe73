import type { FakeKernel } from './fake-kernel.ts';
import { FakeRestore } from './fake-restore.ts';
import type { FakeChild, FakeChildExit, FakeSpawnRequest, Interference, RestoreMoment } from './launcher-shape.ts';

export interface FakeRestoreChildOptions {
  readonly pid: number;
  readonly number: number;
  readonly request: FakeSpawnRequest;
  readonly kernel: FakeKernel;
  /** Under stdbuf: what it prints is seen at once, not at its end. */
  readonly isLineBuffered: boolean;
  readonly interfere?: (moment: RestoreMoment) => Interference | undefined;
}

const FLOOD = `${'noise on standard error '.repeat(40)}\n`.repeat(200);
const WARNING = 'Warning: Kernel support protocol versions 6-7 while userspace supports protocol versions 6-6\n';

/** An `ipset restore` process on the fake kernel. */
export class FakeRestoreChild implements FakeChild {
  readonly pid: Promise<number | null>;
  readonly exit: Promise<FakeChildExit>;
  readonly #options: FakeRestoreChildOptions;
  readonly #restore: FakeRestore;
  #resolveExit: (exit: FakeChildExit) => void = () => undefined;
  /** What happens, happens in order and never inside the caller's turn. */
  #queue: Promise<void> = Promise.resolve();
  #rest = '';
  #lines = 0;
  #stdoutKept = '';
  #isGone = false;
  #hangs: 'soft' | 'hard' | null = null;

  constructor(options: FakeRestoreChildOptions) {
    this.#options = options;
    this.pid = Promise.resolve(options.pid);
    this.exit = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
    this.#restore = new FakeRestore(options.kernel, options.request.args);
  }

  write(chunk: Uint8Array): Promise<void> {
    if (this.#isGone) return Promise.reject(gone());
    const text = Buffer.from(chunk).toString('utf8');
    return this.#enqueue(async () => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        if (this.#isGone || this.#hangs !== null) return;
        await this.#takeLine(line);
      }
    });
  }

  end(): void {
    void this.#enqueue(async () => {
      if (this.#isGone || this.#hangs !== null) return;
      const exitCode = this.#restore.end();
      await this.#leave({ exitCode, signal: null });
    });
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#hangs === 'hard' && signal === 'SIGTERM') return;
    this.#hangs = null;
    this.#leaveNow({ exitCode: null, signal });
  }

  async #takeLine(line: string): Promise<void> {
    this.#lines++;
    const moment = { child: this.#options.number, line: this.#lines, text: line };
    const interference = this.#options.interfere?.(moment);
    if (await this.#interferes(interference)) return;
    this.#restore.take(line);
    await this.#print();
    if (this.#restore.exitCode !== null) await this.#leave({ exitCode: this.#restore.exitCode, signal: null });
    else if (interference === 'kill-after') this.#leaveNow({ exitCode: null, signal: 'SIGKILL' });
  }

  /** True: the line is not run. */
  async #interferes(interference: Interference | undefined): Promise<boolean> {
    switch (interference) {
      case undefined:
      case 'kill-after':
        return false;
      case 'kill':
        this.#leaveNow({ exitCode: null, signal: 'SIGKILL' });
        return true;
      case 'hang':
      case 'hang-hard':
        this.#hangs = interference === 'hang' ? 'soft' : 'hard';
        return true;
      case 'exit-0':
        await this.#leave({ exitCode: 0, signal: null });
        return true;
      case 'flood':
        for (let i = 0; i < 20; i++) await this.#options.request.onStderr?.(Buffer.from(FLOOD));
        return false;
      case 'warn':
        await this.#options.request.onStderr?.(Buffer.from(WARNING));
        return false;
    }
  }

  async #print(): Promise<void> {
    const { stdout, stderr } = this.#restore.takeOutput();
    this.#stdoutKept += stdout;
    if (this.#options.isLineBuffered) await this.#flushStdout();
    if (stderr !== '') await this.#options.request.onStderr?.(Buffer.from(stderr));
  }

  async #flushStdout(): Promise<void> {
    const kept = this.#stdoutKept;
    this.#stdoutKept = '';
    if (kept !== '') await this.#options.request.onStdout?.(Buffer.from(kept));
  }

  async #leave(exit: FakeChildExit): Promise<void> {
    await this.#print();
    await this.#flushStdout();
    this.#leaveNow(exit);
  }

  /** Killed: what was kept back of its output is lost. */
  #leaveNow(exit: FakeChildExit): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#resolveExit(exit);
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(run);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

const gone = (): Error =>
  Object.assign(new Error('The child has ended and takes no more input'), { code: 'child-gone' });
