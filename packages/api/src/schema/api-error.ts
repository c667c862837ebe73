import { z } from 'zod';

/** The closed list of error codes over the wire; each has a section in docs/errors.md. */
export const ErrorCode = z.enum([
  'bad-input',
  'not-found',
  'unauthenticated',
  'not-permitted',
  'clock-skew',
  'digest-stale',
  'confirmation-missing',
  'blocked',
  'unsafe',
  'observe-mode',
  'conflict',
  'not-ready',
  'too-large',
  'rate-limited',
  'agent-unreachable',
  'store-unavailable',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** What a caller gets when a verb was not done. Never a stack, never a command line. */
export const ApiErrorBody = z.object({
  code: ErrorCode,
  message: z.string(),
  subject: z.string().optional(),
  remedy: z.string().optional(),
  requestId: z.string(),
  /** Facts a client may act on, e.g. the newest digest with `digest-stale`. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ApiErrorBody = z.infer<typeof ApiErrorBody>;

/** An expected refusal of a verb; the router turns it into ApiErrorBody. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly subject: string | undefined;
  readonly remedy: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { subject?: string; remedy?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ApiError';
    this.code = code;
    this.subject = more.subject;
    this.remedy = more.remedy;
    this.details = more.details;
  }
}
