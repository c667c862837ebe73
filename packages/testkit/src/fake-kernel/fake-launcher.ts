import { FakeRestoreChild } from './fake-child.ts';
import type { FakeKernel } from './fake-kernel.ts';
import { runOnce } from './fake-tools.ts';
import type {
  FakeChild,
  FakeChildExit,
  FakeChildResult,
  FakeRunRequest,
  FakeSpawnRequest,
  Interference,
  RestoreMoment,
} from './launcher-shape.ts';

export interface FakeLauncherOptions {
  readonly kernel: FakeKernel;
  /** Tools that are not installed, such as `stdbuf`. */
  readonly missingTools?: readonly string[];
  /** Asked before every line that a restore child reads: what goes wrong there, if anything. */
  readonly interfere?: (moment: RestoreMoment) => Interference | undefined;
  /** Asked before every spawn: why it fails, if it does. */
  readonly failSpawn?: (request: FakeSpawnRequest) => string | undefined;
  /** False: another agent holds the writer lock. */
  readonly isLockFree?: boolean;
}

const FOLDER = '/usr/sbin/';

/**
 * The shape of the agent's `Launcher` on a fake kernel, without processes or privileges: restore children, with and
 * without stdbuf, and the reading commands. Children answer asynchronously, as real ones do, and in order.
 */
export class FakeLauncher {
  readonly kernel: FakeKernel;
  /** Restore children that were started. */
  restores = 0;
  /** Every process that was started, as a command line. */
  readonly commands: string[] = [];
  readonly #options: FakeLauncherOptions;
  readonly #children = new Set<FakeRestoreChild>();
  readonly #lostHandlers: ((why: string) => void)[] = [];
  #lost: string | null = null;
  #isLockHeld = false;
  #lastPid = 1000;

  constructor(options: FakeLauncherOptions) {
    this.kernel = options.kernel;
    this.#options = options;
  }

  /** Restore children that have not ended. */
  get living(): number {
    return this.#children.size;
  }

  spawn(request: FakeSpawnRequest): FakeChild {
    this.commands.push([request.file, ...request.args].join(' '));
    const refusal = this.#lost ?? this.#options.failSpawn?.(request) ?? this.#lockRefusal(request);
    if (refusal !== undefined && refusal !== null) return deadChild(refusal);
    const pid = ++this.#lastPid;
    if (!request.args.includes('restore')) return toolChild(pid, request, this.kernel);
    const child = new FakeRestoreChild({
      pid,
      number: ++this.restores,
      request,
      kernel: this.kernel,
      isLineBuffered: request.file.endsWith('/stdbuf'),
      ...(this.#options.interfere === undefined ? {} : { interfere: this.#options.interfere }),
    });
    this.#children.add(child);
    void child.exit.then(() => this.#children.delete(child));
    return child;
  }

  async run(request: FakeRunRequest): Promise<FakeChildResult> {
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const child = this.spawn({
      ...request,
      onStdout: (chunk) => void out.push(chunk),
      onStderr: (chunk) => void err.push(chunk),
    });
    if (request.input !== undefined && request.input !== '') {
      await child
        .write(Buffer.from(request.input.endsWith('\n') ? request.input : `${request.input}\n`))
        .catch(() => undefined);
    }
    child.end();
    const exit = await child.exit;
    return { ...exit, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8'), truncated: false };
  }

  async acquireWriterLock(_waitSeconds: number): Promise<{ held: true } | { held: false; message: string }> {
    if (this.#options.isLockFree === false)
      return { held: false, message: 'Another agent writes in this network namespace' };
    this.#isLockHeld = true;
    return { held: true };
  }

  async which(tool: string): Promise<string | null> {
    const name = tool.slice(tool.lastIndexOf('/') + 1);
    return this.#options.missingTools?.includes(name) === true ? null : `${FOLDER}${name}`;
  }

  onLost(handler: (why: string) => void): void {
    this.#lostHandlers.push(handler);
  }

  async close(): Promise<void> {
    this.#lost = 'The launcher is closed';
    this.killAll();
  }

  /** The launcher process dies, and all its children with it. */
  lose(why: string): void {
    this.#lost = why;
    this.killAll();
    for (const handler of this.#lostHandlers) handler(why);
  }

  /** Somebody kills every restore child. */
  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #lockRefusal({ isWriter }: FakeSpawnRequest): string | undefined {
    return isWriter === true && !this.#isLockHeld ? 'nothing is written without the writer lock' : undefined;
  }
}

function deadChild(why: string): FakeChild {
  const exit: Promise<FakeChildExit> = Promise.resolve({ exitCode: null, signal: null, spawnError: why });
  return {
    pid: Promise.resolve(null),
    write: () => Promise.reject(childGone()),
    end: () => undefined,
    kill: () => undefined,
    exit,
  };
}

/** A command that reads, says what it has to say, and ends. */
function toolChild(pid: number, request: FakeSpawnRequest, kernel: FakeKernel): FakeChild {
  const { exitCode, stdout, stderr } = runOnce(request.file, request.args, kernel);
  const exit = (async (): Promise<FakeChildExit> => {
    await Promise.resolve();
    if (stdout !== '') await request.onStdout?.(Buffer.from(stdout));
    if (stderr !== '') await request.onStderr?.(Buffer.from(stderr));
    return { exitCode, signal: null };
  })();
  return {
    pid: Promise.resolve(pid),
    write: () => Promise.resolve(),
    end: () => undefined,
    kill: () => undefined,
    exit,
  };
}

const childGone = (): Error =>
  Object.assign(new Error('The child has ended and takes no more input'), { code: 'child-gone' });
