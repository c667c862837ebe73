import { runCommandLine } from '../run-command-line.ts';
import type { Sink, World } from '../world.ts';

/** What one command line did. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON; throws if it is not one value. */
  json(): unknown;
}

/** How the terminal of a test is. */
export interface CliSurroundings {
  readonly socket?: string;
  readonly isTTY?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly answer?: string;
  readonly loginUser?: string;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

/** Runs a command line in this process and keeps what it wrote. */
export async function runCli(words: readonly string[], around: CliSurroundings = {}): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  const isTTY = around.isTTY === true;
  const sink = (take: (text: string) => void): Sink => ({
    isTTY,
    columns: 120,
    write: async (text) => {
      take(text);
      around.onOutput?.(text);
    },
  });
  const world: World = {
    stdout: sink((text) => {
      stdout += text;
    }),
    stderr: sink((text) => {
      stderr += text;
    }),
    stdin: {
      isTTY,
      read: async () => around.stdin ?? '',
      question: async (prompt) => {
        stderr += prompt;
        return around.answer ?? '';
      },
    },
    env: { ...(around.socket === undefined ? {} : { SETKEEPER_SOCKET: around.socket }), ...around.env },
    now: () => Date.now(),
    signal: around.signal ?? new AbortController().signal,
    loginUser: () => around.loginUser,
  };
  const exitCode = await runCommandLine(words, world, '0.0.0-test');
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) as unknown };
}
