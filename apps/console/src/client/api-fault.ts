import type { ApiErrorBody } from '@setkeeper/api';

/** Why a request was not done: the agent's own codes, and those of the way to it. */
export interface ApiFault {
  readonly code: ApiErrorBody['code'] | 'gateway-unreachable' | 'timed-out';
  readonly message: string;
  readonly subject?: string;
  readonly remedy?: string;
  readonly requestId?: string;
  readonly details?: Record<string, unknown>;
}

/** Turns whatever a query or mutation threw into a fault that a screen can show. Never throws. */
export function faultOf(error: unknown): ApiFault {
  const body = bodyOf(error);
  if (body !== undefined) return body;
  if (nameIn(error, 'TimeoutError')) {
    return {
      code: 'timed-out',
      message: 'No answer within 30 seconds.',
      remedy: 'The request may still be at work: look at Runs before you repeat it.',
    };
  }
  const httpStatus = httpStatusOf(error);
  if (httpStatus === 401) {
    return { code: 'unauthenticated', message: 'This session has ended.', remedy: 'Log in again.' };
  }
  if (httpStatus !== undefined) {
    return {
      code: 'gateway-unreachable',
      message: `The gateway answered ${httpStatus} without a reason.`,
      remedy: "Look at the gateway's log.",
    };
  }
  return {
    code: 'gateway-unreachable',
    message: 'The gateway does not answer.',
    remedy: 'Is it running, and can this browser reach it? What is shown stays as it was last seen.',
  };
}

/** Reads an error body that a server sent as JSON, or undefined if it is none. */
export function parseErrorBody(value: unknown): ApiFault | undefined {
  if (!isRecord(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return undefined;
  return {
    code: value.code as ApiFault['code'],
    message: value.message,
    ...textIn(value, 'subject'),
    ...textIn(value, 'remedy'),
    ...textIn(value, 'requestId'),
    ...(isRecord(value.details) ? { details: value.details } : {}),
  };
}

function bodyOf(error: unknown): ApiFault | undefined {
  if (!isRecord(error)) return undefined;
  const fromRouter = isRecord(error.data) ? parseErrorBody({ message: error.message, ...error.data }) : undefined;
  if (fromRouter !== undefined) return fromRouter;
  const meta = error.meta;
  return isRecord(meta) ? parseErrorBody(meta.responseJSON) : undefined;
}

function httpStatusOf(error: unknown): number | undefined {
  const meta = isRecord(error) ? error.meta : undefined;
  const response = isRecord(meta) ? meta.response : undefined;
  const status = isRecord(response) ? response.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function nameIn(error: unknown, name: string): boolean {
  if (!isRecord(error)) return false;
  return error.name === name || nameIn(error.cause, name);
}

function textIn<Key extends string>(value: Record<string, unknown>, key: Key): { [K in Key]?: string } {
  const text = value[key];
  return typeof text === 'string' ? ({ [key]: text } as { [K in Key]?: string }) : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
