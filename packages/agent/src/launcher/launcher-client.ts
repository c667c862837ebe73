/** How a child ended. */
export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** It never ran: the program is gone, or memory is short. With a signal: it ran, and was lost with the launcher. */
  readonly spawnError?: string;
  /** It ran longer than `timeoutSeconds` and was ended by SIGTERM, or SIGKILL two seconds later. */
  readonly timedOut?: true;
}

/**
 * A child that the launcher holds. Whole lines only: a write is at most 64 KiB and ends at a line end (KERNEL.md section
 * 3). Writes queue, and one is in flight at a time; the launcher hands them on in pieces that a pipe takes whole.
 */
export interface LauncherChild {
  readonly pid: Promise<number | null>;
  /** Resolves when the child's pipe took it; rejects with code `child-gone` when the child has ended. */
  write(chunk: Uint8Array): Promise<void>;
  end(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Resolves when the child has ended and every handler has had all of its output. Never rejects. */
  readonly exit: Promise<ChildExit>;
}

export interface SpawnRequest {
  /** An absolute path, resolved once. */
  readonly file: string;
  readonly args: readonly string[];
  /** Added to a minimal environment (`PATH` of the system folders); nothing of the agent's own is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Part of what writes: it holds the writer lock of the network namespace while it lives. */
  readonly isWriter?: boolean;
  readonly timeoutSeconds?: number;
  /** stdout and stderr as they come, with back-pressure: the next chunk comes after the promise. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly onStderr?: (chunk: Uint8Array) => void | Promise<void>;
}

/** What a child that ran to its end said. */
export interface ChildResult extends ChildExit {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** stdout or stderr was longer than what is kept. */
  readonly truncated: boolean;
}

/** The agent's side of the launcher process, which starts every child so that the big process never forks. */
export interface Launcher {
  spawn(request: SpawnRequest): LauncherChild;
  /** Runs to the end and collects (stdout cut at `stdoutMaxBytes`, default 64 MiB; stderr at 64 KiB). Never rejects. */
  run(request: SpawnRequest & { readonly input?: string; readonly stdoutMaxBytes?: number }): Promise<ChildResult>;
  /** Takes the one-writer lock of this network namespace: an abstract unix socket. Held until the launcher and its writing children are gone. */
  acquireWriterLock(
    waitSeconds: number,
  ): Promise<{ readonly held: true } | { readonly held: false; readonly message: string }>;
  /** Absolute path of a tool that only root can replace, or null. */
  which(tool: string): Promise<string | null>;
  /** Called once when the launcher process is gone without `close`: every child ended with it. */
  onLost(handler: (why: string) => void): void;
  close(): Promise<void>;
}

/** Thrown by `write` when the child has ended: its `exit` says how. */
export class ChildGoneError extends Error {
  readonly code = 'child-gone';
  constructor() {
    super('The child has ended and takes no more input');
    this.name = 'ChildGoneError';
  }
}
