import { parseArgs } from 'node:util';

/** Where the agent runs: in a namespace of its own on a model directory, or in the host's. */
export type StartMode = 'private' | 'host' | 'observe';

/** What `./start` was asked for. */
export interface StartOptions {
  readonly mode: StartMode;
  /** 0: any free port. */
  readonly port: number;
  /** As typed: relative to the caller's folder. */
  readonly model: string | undefined;
  /** Whether the console asks who one is. */
  readonly logins: boolean;
}

/** The options of a command line, or one sentence that says what is wrong with it. */
export type ParsedOptions =
  | { readonly kind: 'options'; readonly options: StartOptions }
  | { readonly kind: 'wrong'; readonly sentence: string };

/**
 * Reads the command line of `./start` (tooling/start/usage.txt). `--help` and `--no-install` are the wrapper's.
 * With --host logins are always on: every user of the machine reaches 127.0.0.1, and not every one may change its sets.
 */
export function parseOptions(args: readonly string[]): ParsedOptions {
  let values: { port?: string; model?: string; host?: boolean; observe?: boolean; logins?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        model: { type: 'string' },
        host: { type: 'boolean' },
        observe: { type: 'boolean' },
        logins: { type: 'boolean' },
        'no-install': { type: 'boolean' },
      },
    }));
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const port = values.port ?? '8470';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return wrong(`--port ${port} is not a port: use 1024 to 65535.`);
  if (Number(port) !== 0 && Number(port) < 1024) {
    return wrong(`--port ${port}: the gateway runs without privileges and cannot have a port below 1024.`);
  }
  if (values.host === true && values.observe === true) return wrong('--host and --observe exclude each other.');
  const mode = values.host === true ? 'host' : values.observe === true ? 'observe' : 'private';
  if (values.model === '') return wrong('--model needs a directory.');
  if (values.model !== undefined && mode !== 'private') {
    return wrong(
      mode === 'host'
        ? '--model and --host exclude each other: on the host, /etc/setkeeper/agent.yaml names the sources.'
        : '--model and --observe exclude each other: what only observes has no model.',
    );
  }
  return {
    kind: 'options',
    options: { mode, port: Number(port), model: values.model, logins: values.logins === true || mode === 'host' },
  };
}

function wrong(sentence: string): ParsedOptions {
  return { kind: 'wrong', sentence };
}
