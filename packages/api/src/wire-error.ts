import type { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { ApiError, type ApiErrorBody, type ErrorCode } from './schema/api-error.ts';

const httpStatusOf: Record<ErrorCode, number> = {
  'bad-input': 400,
  'not-found': 404,
  unauthenticated: 401,
  'not-permitted': 403,
  'clock-skew': 401,
  'digest-stale': 409,
  'confirmation-missing': 409,
  blocked: 409,
  unsafe: 409,
  'observe-mode': 409,
  conflict: 409,
  'not-ready': 503,
  'too-large': 413,
  'rate-limited': 429,
  'agent-unreachable': 502,
  'store-unavailable': 503,
  internal: 500,
};

/** What goes over the wire for an error: code, words, what to do, the request's id; never a stack or a command line. */
export function wireError(error: TRPCError, requestId: string): ApiErrorBody & { httpStatus: number } {
  const body = bodyOf(error, requestId);
  return { ...body, httpStatus: httpStatusOf[body.code] };
}

function bodyOf(error: TRPCError, requestId: string): ApiErrorBody {
  const { cause } = error;
  if (cause instanceof ApiError) {
    return {
      code: cause.code,
      message: cause.message,
      requestId,
      ...(cause.subject === undefined ? {} : { subject: cause.subject }),
      ...(cause.remedy === undefined ? {} : { remedy: cause.remedy }),
      ...(cause.details === undefined ? {} : { details: cause.details }),
    };
  }
  if (cause instanceof ZodError) {
    const issue = cause.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? 'the input' : issue.path.join('.');
    return { code: 'bad-input', message: `${where}: ${issue?.message ?? 'does not fit'}`, subject: where, requestId };
  }
  switch (error.code) {
    case 'UNAUTHORIZED':
      return { code: 'unauthenticated', message: error.message, requestId };
    case 'NOT_FOUND':
      return { code: 'not-found', message: error.message, requestId };
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
    case 'METHOD_NOT_SUPPORTED':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return { code: 'bad-input', message: error.message, requestId };
    case 'PAYLOAD_TOO_LARGE':
      return { code: 'too-large', message: error.message, requestId };
    default:
      return {
        code: 'internal',
        message: 'The agent failed to answer; its log has the request id.',
        requestId,
        remedy: "Look for the request id in the agent's log.",
      };
  }
}
