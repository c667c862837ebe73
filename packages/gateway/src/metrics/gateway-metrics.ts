import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What the gateway counts of itself (Prometheus text at `/metrics`). */
export interface GatewayMetrics {
  request(kind: 'api' | 'console' | 'other', status: number): void;
  refused(by: 'host' | 'origin' | 'site'): void;
  agentUnreachable(agent: string): void;
  signIn(result: 'succeeded' | 'failed' | 'throttled'): void;
  text(): Promise<string>;
}

/** Makes a registry of its own, so that two gateways in one process do not meet. */
export function createGatewayMetrics(version: string, openStreams: () => number): GatewayMetrics {
  const registers = [new Registry()];
  const [registry] = registers;
  if (registry !== undefined) collectDefaultMetrics({ register: registry, prefix: 'setkeeper_gateway_' });
  new Gauge({
    name: 'setkeeper_gateway_build_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: 'setkeeper_gateway_event_streams',
    help: 'Event streams that are open now.',
    registers,
    collect() {
      this.set(openStreams());
    },
  });
  const requests = new Counter({
    name: 'setkeeper_gateway_requests_total',
    help: 'Requests answered, by what they were for and by class of status.',
    labelNames: ['kind', 'status'],
    registers,
  });
  const refusals = new Counter({
    name: 'setkeeper_gateway_refused_total',
    help: 'Requests refused because of their Host, Origin or Sec-Fetch-Site.',
    labelNames: ['by'],
    registers,
  });
  const unreachable = new Counter({
    name: 'setkeeper_gateway_agent_unreachable_total',
    help: 'Requests that no agent answered.',
    registers,
  });
  const signIns = new Counter({
    name: 'setkeeper_gateway_sign_ins_total',
    help: 'Attempts to sign in, by result.',
    labelNames: ['result'],
    registers,
  });
  return {
    request: (kind, status) => requests.inc({ kind, status: `${Math.floor(status / 100)}xx` }),
    refused: (by) => refusals.inc({ by }),
    agentUnreachable: () => unreachable.inc(),
    signIn: (result) => signIns.inc({ result }),
    text: async () => (await registry?.metrics()) ?? '',
  };
}
