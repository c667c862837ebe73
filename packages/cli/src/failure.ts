import { ExitCode } from './exit-code.ts';

/** Why a command was not done, in words for a terminal, with the exit status it ends with. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  /** Lines under the message: code, remedy, newest digest. */
  readonly notes: readonly string[];
  /** The API's error code where one came over the wire. */
  readonly code: string | undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    more: { notes?: readonly string[]; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'Failure';
    this.exitCode = exitCode;
    this.notes = more.notes ?? [];
    this.code = more.code;
  }
}

/** A failure of the one who typed: exit 2. */
export const usageFailure = (message: string, ...notes: string[]): Failure =>
  new Failure(ExitCode.usage, message, { notes });
