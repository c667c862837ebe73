import type { ErrorCode } from '@setkeeper/api';

/**
 * What a command's exit status tells a script (CONTRACT: section 5):
 * `done`; `incomplete`: done, but something failed, was rejected or is held; `usage`; `refused`: stale digest, missing
 * confirmation, blocked, unsafe; `unreachable`: no agent answered; `forbidden`: not permitted.
 */
export const ExitCode = { done: 0, incomplete: 1, usage: 2, refused: 3, unreachable: 4, forbidden: 5 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const exitCodeOfError: Record<ErrorCode, ExitCode> = {
  'bad-input': ExitCode.usage,
  'not-found': ExitCode.usage,
  'too-large': ExitCode.usage,
  unauthenticated: ExitCode.forbidden,
  'not-permitted': ExitCode.forbidden,
  'clock-skew': ExitCode.forbidden,
  'digest-stale': ExitCode.refused,
  'confirmation-missing': ExitCode.refused,
  blocked: ExitCode.refused,
  unsafe: ExitCode.refused,
  'observe-mode': ExitCode.refused,
  conflict: ExitCode.refused,
  'not-ready': ExitCode.refused,
  'rate-limited': ExitCode.refused,
  'store-unavailable': ExitCode.refused,
  'agent-unreachable': ExitCode.unreachable,
  internal: ExitCode.incomplete,
};

/** The exit status for an error code of the API. */
export const exitCodeOf = (code: ErrorCode): ExitCode => exitCodeOfError[code];
