export type FailureCode =
  | 'set-missing'
  | 'set-exists'
  | 'set-in-use'
  | 'busy'
  | 'type-mismatch'
  | 'swap-missing'
  | 'duplicate'
  | 'absent'
  | 'full'
  | 'list-member'
  | 'null-element'
  | 'bad-cidr'
  | 'out-of-range'
  | 'syntax'
  | 'usage'
  | 'option-unsupported'
  | 'type-unsupported'
  | 'protocol-error'
  | 'set-limit'
  | 'permission'
  | 'no-session'
  | 'unknown';

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** The command of the failing line, where the caller knows it: it decides `prefixApplied` of set-missing. */
  readonly command?: 'create' | 'add' | 'del' | 'swap' | 'destroy' | 'list';
}

export interface RestoreFailure {
  readonly code: FailureCode;
  readonly line: number | null;
  /** The kernel's or ipset's own words, without `ipset v7.17: Error in line N: `. */
  readonly message: string;
  readonly raw: string;
  readonly warnings: readonly string[];
  /** True: every line before the failing one is in the kernel. False: the run of same-set, same-command lines before it may be lost. */
  readonly prefixApplied: boolean;
  /** `environment`: no line is to blame; nothing may be marked rejected. */
  readonly scope: 'line' | 'environment';
  readonly transient: boolean;
}

export function classifyFailure(_end: ChildEnd): RestoreFailure {
  throw new Error('not written yet');
}
