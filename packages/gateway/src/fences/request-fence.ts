import type { FastifyInstance } from 'fastify';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { refuse } from './refusal.ts';
import { judgeRequest, type OriginPolicy } from './request-judge.ts';

/** Paths that say something about a host: the API, and the metrics. The console's files are the same for everybody. */
const guarded = /^\/(?:api|metrics|hosts)(?![a-z0-9_-])/iu;

/** What the fence goes by. */
export interface FenceParameters {
  readonly policy: OriginPolicy;
  readonly isBehindProxy: boolean;
  readonly isTrustedProxy: (address: string) => boolean;
}

/** Checks the peer, and Host, Origin and Sec-Fetch-Site of every guarded request, before anything else looks at it. */
export function addRequestFence(app: FastifyInstance, parameters: FenceParameters, metrics: GatewayMetrics): void {
  const { policy, isBehindProxy, isTrustedProxy } = parameters;
  app.addHook('onRequest', async (request, reply) => {
    if (isBehindProxy && !isTrustedProxy(request.socket.remoteAddress ?? '')) {
      metrics.refused('host');
      return refuse(reply, {
        status: 421,
        code: 'not-permitted',
        message: 'This console is reached through its proxy only.',
        remedy: `Open ${policy.origins.join(' or ')}.`,
      });
    }
    if (!guarded.test(normalPath(request.raw.url ?? '/'))) return;
    const { host, origin } = request.headers;
    const secFetchSite = request.headers['sec-fetch-site'];
    const verdict = judgeRequest(
      {
        method: request.method,
        host,
        origin,
        secFetchSite: Array.isArray(secFetchSite) ? secFetchSite.join() : secFetchSite,
      },
      policy,
    );
    if (verdict.ok) return;
    const { status, came, expected, message } = verdict;
    metrics.refused(status === 421 ? 'host' : came === origin ? 'origin' : 'site');
    request.log.warn({ came, expected }, message);
    return refuse(reply, {
      status,
      code: 'not-permitted',
      message,
      subject: came,
      remedy: `Open the console at ${expected}, or add the address that you use to origins in gateway.yaml.`,
      details: { came, expected },
    });
  });
}

/** The path as the router sees it, so that `/%61pi` and `//api` pass no other way than `/api`. */
function normalPath(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/iu, '').replace(/^\/+/u, '/');
  try {
    return decodeURIComponent(path.split('?')[0] ?? '/');
  } catch {
    return path;
  }
}
