import type { ApiErrorBody, ErrorCode } from '@setkeeper/api';
import { TRPCClientError } from '@trpc/client';
import { ExitCode, exitCodeOf } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import type { AgentTarget } from './agent-target.ts';

/** Turns whatever a call threw into words and an exit status. What is no answer of the wire is returned as it is. */
export function wireFailure(error: unknown, target: AgentTarget): unknown {
  if (error instanceof Failure) return error;
  if (error instanceof TRPCClientError) {
    const body = errorBody(error.data);
    if (body !== undefined) return failureOf(body);
    const response = error.meta?.response;
    if (response instanceof Object && 'status' in response && typeof response.status === 'number')
      return bodyFailure(response.status, '');
    return connectionFailure(error.cause ?? error, target) ?? error;
  }
  return connectionFailure(error, target) ?? error;
}

/** The failure behind an HTTP answer that was no success, by its body where it has one. */
export function bodyFailure(status: number, text: string): Failure {
  const body = parsedBody(text);
  if (body !== undefined) return failureOf(body);
  if (status === 401 || status === 403) return new Failure(ExitCode.forbidden, `not permitted (HTTP ${status})`);
  if (status >= 502 && status <= 504)
    return new Failure(ExitCode.unreachable, `the agent cannot be reached (HTTP ${status})`);
  return new Failure(ExitCode.incomplete, `the answer is not one of Setkeeper (HTTP ${status})`, {
    notes: ['remedy: check that --socket or --url names Setkeeper and not another service'],
  });
}

function parsedBody(text: string): ApiErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!(value instanceof Object)) return undefined;
    if ('error' in value && value.error instanceof Object && 'data' in value.error) return errorBody(value.error.data);
    return errorBody(value);
  } catch {
    return undefined;
  }
}

function errorBody(value: unknown): ApiErrorBody | undefined {
  if (!(value instanceof Object) || !('code' in value) || !('message' in value)) return undefined;
  if (typeof value.code !== 'string' || typeof value.message !== 'string') return undefined;
  return value as ApiErrorBody;
}

function failureOf(body: ApiErrorBody): Failure {
  const notes: string[] = [];
  for (const fault of faultsOf(body)) notes.push(fault);
  const digest = body.details?.digest;
  if (typeof digest === 'string') notes.push(`digest now: ${digest}`);
  if (body.remedy !== undefined) notes.push(`remedy: ${body.remedy}`);
  notes.push(`code: ${body.code}, request ${body.requestId ?? '-'}`);
  const exitCode = exitCodeOf(body.code as ErrorCode) ?? ExitCode.incomplete;
  return new Failure(exitCode, body.message, { notes, code: body.code });
}

/** Faults of documents that came with a refusal, as `file:line path: reason`. */
function faultsOf(body: ApiErrorBody): readonly string[] {
  const faults = body.details?.faults;
  if (!Array.isArray(faults)) return [];
  return faults.map((fault: Record<string, unknown>) => {
    const { file, line, path, reason } = fault;
    return `${String(file ?? '')}:${String(line ?? '')} ${String(path ?? '')}: ${String(reason ?? '')}`;
  });
}

const unreachableCodes = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTSOCK',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** The failure behind an error of the connection itself; undefined if it is something else. */
function connectionFailure(error: unknown, target: AgentTarget): Failure | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const where = target.via === 'socket' ? `the socket ${target.path}` : target.url;
  if (code === 'EACCES' || code === 'EPERM') {
    return new Failure(ExitCode.forbidden, `${where} may not be used by this user`, {
      notes: ['remedy: run as root, or ask a gateway: --url URL --token-file F'],
      cause: error,
    });
  }
  if (!unreachableCodes.has(code)) {
    if (target.via === 'gateway' && (code.startsWith('ERR_TLS') || code.includes('CERT') || code.startsWith('ERR_SSL')))
      return new Failure(ExitCode.unreachable, `${where} cannot be trusted: ${code}`, {
        notes: ['remedy: set NODE_EXTRA_CA_CERTS to the file of the authority that signed its certificate'],
        cause: error,
      });
    return undefined;
  }
  const why = code === 'ENOENT' ? 'it does not exist' : code === 'ECONNREFUSED' ? 'nobody listens there' : code;
  return new Failure(ExitCode.unreachable, `no agent answers at ${where}: ${why}`, {
    notes: [
      target.via === 'socket'
        ? 'remedy: start the agent (./start from a checkout, systemctl start setkeeper on a server), or name its socket with --socket'
        : 'remedy: check the URL and that the gateway runs',
    ],
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return undefined;
}
