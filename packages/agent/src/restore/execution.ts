import type { FailureCode, SetName } from '@setkeeper/ipset';
import type { Plan } from '../plan/plan.ts';

/** Operations that were not applied. `line` counts the plan's lines from 1. Operations without an entry are applied. */
export interface Exception {
  readonly line: number;
  /** The last of neighbouring lines that ended so for one cause; absent: `line` alone. A million lines that were not run are one. */
  readonly lastLine?: number;
  readonly outcome: 'rejected' | 'skipped' | 'not-run';
  readonly code?: FailureCode;
  readonly message?: string;
  readonly raw?: string;
  /** The line that caused a skip. */
  readonly because?: number;
}

/** How a plan ended. Every operation has exactly one outcome and it is true in the kernel, but for sets in `unsure`. */
export interface Execution {
  readonly exceptions: readonly Exception[];
  readonly counts: {
    readonly applied: number;
    readonly rejected: number;
    readonly skipped: number;
    readonly notRun: number;
  };
  readonly attempts: number;
  /** A fault of the world that ended the run: one problem, not one rejection a line. */
  readonly environment?: {
    readonly code: FailureCode | 'spawn-failed' | 'timed-out' | 'killed' | 'stopped';
    readonly message: string;
    readonly raw: string;
  };
  /** Sets whose content must be read back before anything is believed of them. */
  readonly unsure: readonly SetName[];
  /** Temporary sets that may be left in the kernel. */
  readonly leftTemporary: readonly SetName[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly rejected: number;
}

/** The writer into the kernel. One execution at a time. */
export interface RestoreExecutor {
  execute(
    plan: Plan,
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: Progress) => void },
  ): Promise<Execution>;
  /** Forgets the running child: somebody else created, destroyed, renamed, swapped or retyped sets. The next batch uses a new one. */
  recycle(reason: string): void;
  close(): Promise<void>;
}
