import type { ApiErrorBody, ErrorCode } from '@setkeeper/api';
import type { FastifyReply } from 'fastify';

/** Why the gateway itself does not answer. */
export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly subject?: string;
  readonly remedy?: string;
  readonly details?: Record<string, unknown>;
}

/** A refusal that a handler throws. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.message, { cause });
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** JSON-RPC's code for a request that cannot be served (jsonrpc.org, section 5.1); clients go by `data.code`. */
const invalidRequest = -32_600;

/**
 * The body of a refusal: an ApiErrorBody, which is also inside the envelope that tRPC clients look into, so that one
 * answer serves both.
 */
export function refusalBody({ status, ...refusal }: Refusal, requestId: string) {
  const body: ApiErrorBody = { ...refusal, requestId };
  return { ...body, error: { message: body.message, code: invalidRequest, data: { ...body, httpStatus: status } } };
}

/** Sends a refusal. Nothing keeps a copy of it. */
export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(refusal, reply.request.id)));
}
