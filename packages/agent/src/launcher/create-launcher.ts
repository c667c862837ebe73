import { execa } from 'execa';
import { ClientChild } from './client-child.ts';
import type { Launcher, SpawnRequest } from './launcher-client.ts';
import type { FromLauncher, ToLauncher } from './launcher-message.ts';
import { runChild } from './run-child.ts';
import { trustedPath } from './trusted-path.ts';

const CHILD_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 5_000;
const STDERR_TAIL_CHARACTERS = 4_096;

/**
 * The launcher forwards and keeps nothing: a small heap keeps it small, and a small process forks fast. Optimised code is
 * worth its memory: without it, each refused line, which costs a child, took a quarter longer. `--expose-gc` lets it drop
 * forwarded buffers in time.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  '--single-threaded-gc',
  '--expose-gc',
  '--no-warnings',
];

export interface LauncherOptions {
  /** The Node to run it with: `process.execPath`. */
  readonly nodePath: string;
  /** `src/entry/launcher.ts`, or the bundle made of it. */
  readonly entryPath: string;
  /** Put before the command, such as `ip netns exec NAME`: the launcher and all its children run inside. */
  readonly commandPrefix?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A launcher, with its process's id. */
export interface StartedLauncher extends Launcher {
  readonly pid: number;
}

/**
 * Starts the launcher process and waits until it answers. Throws with code `launcher-failed` if it does not within 20
 * seconds. It dies with the process that calls this (`setpriv --pdeathsig`), and its children die with it.
 */
export async function createLauncher(options: LauncherOptions): Promise<StartedLauncher> {
  const setpriv = await trustedPath('setpriv');
  const bond = setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
  const [file = options.nodePath, ...args] = [
    ...bond,
    ...(options.commandPrefix ?? []),
    options.nodePath,
    ...NODE_FLAGS,
    options.entryPath,
  ];
  const process = execa(file, args, {
    ipc: true,
    serialization: 'advanced',
    buffer: false,
    reject: false,
    // Its own session: Ctrl-C on a terminal must not end ipset in the middle of a run.
    detached: true,
    extendEnv: false,
    env: { PATH: CHILD_PATH, ...options.environment },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  let stderr = '';
  const launcher = process.nodeChildProcess;
  process.stderr.on('data', (chunk: Uint8Array) => {
    stderr = (stderr + Buffer.from(chunk).toString('utf8')).slice(-STDERR_TAIL_CHARACTERS);
  });

  const children = new Map<number, ClientChild>();
  const questions = new Map<number, (answer: FromLauncher | null) => void>();
  const lostHandlers: ((why: string) => void)[] = [];
  let lost: string | null = null;
  let isClosing = false;
  let lastNumber = 0;

  // What cannot be sent is answered by the launcher's end, which settles every child and question.
  const send = (message: ToLauncher): void => {
    if (launcher.connected) launcher.send(message, undefined, undefined, () => undefined);
  };
  const ask = (question: (call: number) => ToLauncher): Promise<FromLauncher | null> => {
    if (lost !== null) return Promise.resolve(null);
    const call = ++lastNumber;
    return new Promise((resolve) => {
      questions.set(call, resolve);
      send(question(call));
    });
  };

  let ready: (pid: number) => void = () => undefined;
  const started = new Promise<number>((resolve) => {
    ready = resolve;
  });
  launcher.on('message', (raw: unknown) => {
    const message = raw as FromLauncher;
    switch (message.kind) {
      case 'ready':
        return ready(message.pid);
      case 'lock':
      case 'which': {
        const answer = questions.get(message.call);
        questions.delete(message.call);
        return answer?.(message);
      }
      default: {
        children.get(message.id)?.receive(message);
        if (message.kind === 'exit') children.delete(message.id);
      }
    }
  });
  const ended = process.then((end) => {
    const how =
      end.signal ?? (end.exitCode === undefined ? (end.originalMessage ?? 'not started') : `status ${end.exitCode}`);
    lost = `The launcher process has ended (${how})${stderr === '' ? '' : `: ${stderr.trim()}`}`;
    for (const child of children.values()) child.lose(lost);
    children.clear();
    for (const answer of questions.values()) answer(null);
    questions.clear();
    if (!isClosing) for (const handler of lostHandlers) handler(lost);
    return lost;
  });

  const pid = await Promise.race([started, ended, timeOut(START_TIMEOUT_MS)]);
  if (typeof pid !== 'number') {
    launcher.kill('SIGKILL');
    throw Object.assign(new Error(pid ?? 'The launcher process did not answer'), { code: 'launcher-failed' });
  }

  const spawn = (request: SpawnRequest): ClientChild => {
    const id = ++lastNumber;
    const child = new ClientChild(id, request, send);
    if (lost !== null || isClosing) {
      child.lose(lost ?? 'The launcher is closing');
      return child;
    }
    children.set(id, child);
    send({
      kind: 'spawn',
      id,
      file: request.file,
      args: request.args,
      env: { PATH: CHILD_PATH, ...request.env },
      isWriter: request.isWriter ?? false,
      timeoutMs: (request.timeoutSeconds ?? 0) * 1000,
    });
    return child;
  };

  return {
    pid,
    spawn,
    run: (request) => runChild(spawn, request),
    async acquireWriterLock(waitSeconds) {
      const answer = await ask((call) => ({ kind: 'lock', call, waitMs: waitSeconds * 1000 }));
      if (answer?.kind === 'lock' && answer.held) return { held: true };
      const message = answer?.kind === 'lock' ? answer.message : (lost ?? 'The launcher did not answer');
      return { held: false, message };
    },
    async which(tool) {
      const answer = await ask((call) => ({ kind: 'which', call, tool }));
      return answer?.kind === 'which' ? answer.path : null;
    },
    onLost: (handler) => void lostHandlers.push(handler),
    async close() {
      isClosing = true;
      // The launcher kills its children and ends when its channel closes.
      if (launcher.connected) launcher.disconnect();
      if ((await Promise.race([ended, timeOut(CLOSE_TIMEOUT_MS)])) === null) {
        launcher.kill('SIGKILL');
        await ended;
      }
    },
  };
}

/** Null after `ms`, without keeping the process alive. */
function timeOut(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}
