import type { AgentLink } from '../agents/agent-link.ts';
import { Refused } from '../fences/refusal.ts';
import type { Visitor } from '../visitors/visitor.ts';

/** The gateway itself, when it asks for the metrics that it passes on. */
const scraper: Visitor = {
  subject: 'gateway',
  name: 'gateway',
  role: 'viewer',
  sessionId: 'gateway',
  via: 'nobody-else',
  mustChangePassword: false,
};

/** The Prometheus text of an agent. Throws Refused when it does not answer, or not so. */
export async function agentMetrics(link: AgentLink): Promise<string> {
  const answer = await link.ask({
    visitor: scraper,
    method: 'GET',
    path: '/api/trpc/metrics.get',
    body: Buffer.alloc(0),
    signal: AbortSignal.timeout(30_000),
  });
  const text = textOf(await answer.body.json());
  if (answer.statusCode === 200 && text !== undefined) return text;
  throw new Refused({
    status: 502,
    code: 'agent-unreachable',
    message: `The agent ${link.name} gave no metrics (status ${answer.statusCode}).`,
    subject: link.name,
    remedy: 'See setkeeper doctor on its host.',
  });
}

/** tRPC's envelope: `{ result: { data: { text } } }`. */
function textOf(value: unknown): string | undefined {
  const data = member(member(value, 'result'), 'data');
  const text = member(data, 'text');
  return typeof text === 'string' ? text : undefined;
}

const member = (value: unknown, key: string): unknown =>
  value instanceof Object && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
