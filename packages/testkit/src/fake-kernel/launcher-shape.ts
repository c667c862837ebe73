/** The shapes of the agent's launcher, declared here again because the testkit does not import the agent. */
export interface FakeSpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isWriter?: boolean;
  readonly timeoutSeconds?: number;
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly onStderr?: (chunk: Uint8Array) => void | Promise<void>;
}

export type FakeRunRequest = FakeSpawnRequest & { readonly input?: string; readonly stdoutMaxBytes?: number };

export interface FakeChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly spawnError?: string;
}

export type FakeChildResult = FakeChildExit & {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly truncated: boolean;
};

export interface FakeChild {
  readonly pid: Promise<number | null>;
  write(chunk: Uint8Array): Promise<void>;
  end(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  readonly exit: Promise<FakeChildExit>;
}

/** A restore child is about to read a line. */
export interface RestoreMoment {
  /** Counts restore children from 1. */
  readonly child: number;
  /** Counts the child's lines from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * What goes wrong at that moment: the child is killed before or after the line, hangs until it is killed, ends early with
 * status 0, floods standard error and goes on, or prints a protocol warning and goes on.
 */
export type Interference = 'kill' | 'kill-after' | 'hang' | 'hang-hard' | 'exit-0' | 'flood' | 'warn';
