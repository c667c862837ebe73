import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { startMarker } from './left-behind.ts';

/** How to run one of the two programs. */
export interface ProcessSpec {
  /** `agent` or `gateway`: the speaker of its log lines. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The mark that lets a later start find it: the layout's namespace. */
  readonly mark: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** A program that runs. */
export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when it has ended, with how: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

const inherited =
  /^(PATH|HOME|LANG|LANGUAGE|LC_.*|TZ|TERM|NO_COLOR|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|SETKEEPER_.*)$/;

/**
 * Starts a program in a session of its own, so that a Ctrl-C of the terminal reaches `./start` alone and the stop has
 * an order. `setpriv --pdeathsig` ends it should this process be killed. Of the environment it gets what is harmless.
 */
export function startProcess(spec: ProcessSpec): ManagedProcess {
  const [file, ...args] = spec.command;
  const child = execa('setpriv', ['--pdeathsig', 'TERM', '--', file, ...args], {
    env: { ...inheritedEnvironment(process.env), ...spec.environment, [startMarker]: spec.mark },
    extendEnv: false,
    stdin: 'ignore',
    buffer: false,
    all: true,
    reject: false,
    detached: true,
    cleanup: false,
  });
  createInterface({ input: child.all, crlfDelay: Number.POSITIVE_INFINITY }).on('line', spec.onLine);
  return {
    name: spec.name,
    pid: child.pid ?? 0,
    ended: child.then(({ exitCode, signal, shortMessage }) => {
      if (exitCode !== undefined) return `exit code ${exitCode}`;
      return signal === undefined ? (shortMessage ?? 'it could not be started') : `signal ${signal}`;
    }),
    signal: (name) => {
      child.kill(name);
    },
  };
}

function inheritedEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && inherited.test(name)) kept[name] = value;
  }
  return kept;
}
