import { leaseSecondsMax } from '@setkeeper/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../fences/refusal.ts';
import type { Visitor } from '../visitors/visitor.ts';
import type { AgentLink } from './agent-link.ts';
import type { StreamLeases } from './stream-leases.ts';
import { readVerbPath } from './verb-paths.ts';

/** What forwarding needs to know besides the request. */
export interface ForwardParameters {
  readonly link: AgentLink;
  readonly visitor: Visitor;
  readonly leases: StreamLeases;
}

/** Open event streams of one session, and of all: a tab has one. */
const streamsMax = { session: 50, all: 2000 };

/**
 * Passes one request on to an agent in the visitor's name, and its answer back as it comes: nothing is buffered, and
 * when the browser leaves the agent is told. Throws Refused.
 */
export async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  verbPath: string,
  { link, visitor, leases }: ForwardParameters,
): Promise<FastifyReply> {
  const asked = readVerbPath(verbPath);
  if (asked.kind === 'unknown')
    throw new Refused({ status: 404, code: 'not-found', message: `There is no verb ${verbPath.slice(0, 100)}.` });
  const isStream = asked.kind === 'events';
  if (isStream && request.method !== 'GET')
    throw new Refused({ status: 405, code: 'bad-input', message: 'The event stream is opened with GET.' });
  if (isStream && (leases.countOf(visitor.sessionId) >= streamsMax.session || leases.count >= streamsMax.all))
    throw new Refused({
      status: 429,
      code: 'rate-limited',
      message: 'Too many event streams are open.',
      remedy: 'Close other tabs of the console.',
    });

  const left = new AbortController();
  const leave = (): void => left.abort();
  reply.raw.once('close', leave);
  const path = `/api/trpc/${verbPath}${queryOf(request)}`;
  const lastEventId = request.headers['last-event-id'];
  const answer = await link
    .ask({
      visitor,
      method: request.method === 'POST' ? 'POST' : 'GET',
      path,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      headers: {
        accept: String(request.headers.accept ?? '*/*'),
        ...(typeof lastEventId === 'string' ? { 'last-event-id': lastEventId } : {}),
      },
      ...(isStream ? { leaseSeconds: leaseSecondsMax } : {}),
      signal: left.signal,
    })
    .catch((error: unknown) => {
      if (left.signal.aborted) return undefined;
      throw error;
    });
  // Nobody is there any more to hear the answer.
  if (answer === undefined) return reply.hijack();
  if (isStream && answer.statusCode === 200) {
    const close = leases.add({ link, visitor, end: leave });
    reply.raw.once('close', close);
    answer.body.once('close', close);
    reply.header('x-accel-buffering', 'no');
  }
  const type = answer.headers['content-type'];
  return reply
    .code(answer.statusCode)
    .header('content-type', typeof type === 'string' ? type : 'application/json')
    .header('cache-control', 'no-store')
    .send(answer.body);
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}
