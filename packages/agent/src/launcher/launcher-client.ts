/** How a child ended. */
export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly spawnError?: string;
}

/** A child that the launcher holds. Whole lines only: a write is at most 64 KiB, ends at a line end, and one is in flight at a time (KERNEL.md section 3). */
export interface LauncherChild {
  readonly pid: Promise<number | null>;
  /** Resolves when the child's pipe took it; rejects with code `child-gone` when the child has ended. */
  write(chunk: Uint8Array): Promise<void>;
  end(): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  readonly exit: Promise<ChildExit>;
}

export interface SpawnRequest {
  /** An absolute path, resolved once. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Part of what writes: it holds the writer lock of the network namespace while it lives. */
  readonly isWriter?: boolean;
  readonly timeoutSeconds?: number;
  /** stdout and stderr as they come, with back-pressure: the next chunk comes after the promise. */
  readonly onStdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly onStderr?: (chunk: Uint8Array) => void | Promise<void>;
}

/** The agent's side of the launcher process, which starts every child so that the big process never forks. */
export interface Launcher {
  spawn(request: SpawnRequest): LauncherChild;
  /** Runs to the end and collects (stdout cut at `stdoutMaxBytes`, default 64 MiB; stderr at 64 KiB). */
  run(
    request: SpawnRequest & { readonly input?: string; readonly stdoutMaxBytes?: number },
  ): Promise<ChildExit & { readonly stdout: Uint8Array; readonly stderr: string; readonly truncated: boolean }>;
  /** Takes the one-writer lock of this network namespace: an abstract unix socket. */
  acquireWriterLock(
    waitSeconds: number,
  ): Promise<{ readonly held: true } | { readonly held: false; readonly message: string }>;
  /** Absolute path of a tool in root-owned folders, or null. */
  which(tool: string): Promise<string | null>;
  onLost(handler: (why: string) => void): void;
  close(): Promise<void>;
}
