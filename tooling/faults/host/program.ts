import { execa } from 'execa';

/** A program under trial, with its last words. */
export interface Program {
  readonly pid: number;
  readonly hasEnded: boolean;
  /** Resolves when it has ended, with how: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** What it wrote, from the end if that is very much. */
  readonly words: () => string;
  /** Lines in which it says that a bug was contained: there must be none. */
  readonly bugs: readonly string[];
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGUSR2'): void;
}

const WORDS_MAX = 8 * 1024 * 1024;
const BUG = 'a bug was contained';

/** Starts a program; it is killed with this process. */
export function startProgram(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Program {
  const [file, ...args] = command;
  const child = execa('setpriv', ['--pdeathsig', 'KILL', '--', file, ...args], {
    env: { NO_COLOR: '1', ...environment },
    stdin: 'ignore',
    buffer: false,
    all: true,
    reject: false,
  });
  const bugs: string[] = [];
  let words = '';
  child.all.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8');
    words = (words + text).slice(-WORDS_MAX);
    if (text.includes(BUG)) bugs.push(...text.split('\n').filter((line) => line.includes(BUG)));
  });
  let hasEnded = false;
  const ended = child.then(({ exitCode, signal }) => {
    hasEnded = true;
    return exitCode === undefined ? `signal ${signal ?? '?'}` : `exit code ${exitCode}`;
  });
  return {
    pid: child.pid ?? 0,
    get hasEnded() {
      return hasEnded;
    },
    ended,
    words: () => words,
    bugs,
    kill: (signal) => void child.kill(signal),
  };
}
