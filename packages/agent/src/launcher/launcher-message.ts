/**
 * The two directions of the channel between the agent and its launcher (Node IPC, `advanced` serialization, so bytes
 * travel as bytes). `id` names a child, `call` a question; both are counted by the agent.
 */
export type ToLauncher =
  | {
      readonly kind: 'spawn';
      readonly id: number;
      readonly file: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly isWriter: boolean;
      readonly timeoutMs: number;
    }
  | { readonly kind: 'write'; readonly id: number; readonly chunk: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'kill'; readonly id: number; readonly signal: 'SIGTERM' | 'SIGKILL' }
  /** The agent has digested so many bytes of this stream; the launcher may send as many more. */
  | { readonly kind: 'credit'; readonly id: number; readonly stream: OutputStream; readonly bytes: number }
  | { readonly kind: 'lock'; readonly call: number; readonly waitMs: number }
  | { readonly kind: 'which'; readonly call: number; readonly tool: string };

export type FromLauncher =
  | { readonly kind: 'ready'; readonly pid: number }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number | null }
  | { readonly kind: 'wrote'; readonly id: number; readonly isTaken: boolean }
  | { readonly kind: 'output'; readonly id: number; readonly stream: OutputStream; readonly chunk: Uint8Array }
  /** The last word on a child: all its output was sent before. */
  | {
      readonly kind: 'exit';
      readonly id: number;
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly spawnError?: string;
      readonly timedOut?: true;
    }
  | { readonly kind: 'lock'; readonly call: number; readonly held: boolean; readonly message: string }
  | { readonly kind: 'which'; readonly call: number; readonly path: string | null };

export type OutputStream = 'stdout' | 'stderr';

/** Bytes of one stream that may be under way to the agent before it has digested any. */
export const OUTPUT_WINDOW_BYTES = 512 * 1024;

/**
 * The largest single write into a child's pipe. On Linux a write of at most 32 KiB into a unix stream socket (which is
 * what Node's child pipes are) is taken whole or not at all, because it fits one socket buffer; a larger one can be cut
 * inside a line when the writer is killed, and ipset runs a last line that was cut short. Measured in
 * create-launcher.kernel.test.ts.
 */
export const WRITE_MAX_BYTES = 32 * 1024;
