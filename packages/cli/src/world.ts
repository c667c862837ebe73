/** A stream that a command writes to. */
export interface Sink {
  readonly isTTY: boolean;
  readonly columns: number;
  /** Resolves when more may be written, so that a million rows never pile up in memory. */
  write(text: string): Promise<void>;
}

/** All that a command may touch besides the agent and the files its arguments name. */
export interface World {
  /** Data. */
  readonly stdout: Sink;
  /** Talk. */
  readonly stderr: Sink;
  readonly stdin: { readonly isTTY: boolean; read(): Promise<string>; question(prompt: string): Promise<string> };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
  /** The login user behind this process, if the kernel knows one. */
  readonly loginUser: () => string | undefined;
}
