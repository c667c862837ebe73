import { ApiError, type ApiErrorBody, wireError } from '@setkeeper/api';
import { TRPCError } from '@trpc/server';
import type { FastifyError } from 'fastify';

/** A refusal outside the router, in the shape in which the router gives its own. */
export interface HttpErrorBody {
  readonly error: {
    readonly message: string;
    readonly code: number;
    readonly data: ApiErrorBody & { readonly httpStatus: number };
  };
}

/** JSON-RPC's code for a request that cannot be served (jsonrpc.org, section 5.1); clients go by `data.code`. */
const INVALID_REQUEST = -32_600;

export function httpErrorBody(error: ApiError, requestId: string): HttpErrorBody {
  const data = wireError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }), requestId);
  return { error: { message: data.message, code: INVALID_REQUEST, data } };
}

/** What the HTTP server itself refuses (size, media type, malformed text) in our words; anything unknown is internal and says nothing. */
export function asApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  switch (status) {
    case 413:
      return new ApiError('too-large', 'The request is larger than this verb takes.');
    case 415:
      return new ApiError('bad-input', 'A body must be JSON (content-type: application/json).');
    case 400:
      return new ApiError('bad-input', 'The request is malformed.');
    default:
      return new ApiError('internal', 'The agent failed to answer; its log has the request id.', {
        cause: error,
        remedy: "Look for the request id in the agent's log.",
      });
  }
}
