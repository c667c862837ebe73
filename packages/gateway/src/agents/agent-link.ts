import { type Dispatcher, Pool } from 'undici';
import { Refused } from '../fences/refusal.ts';
import { type StatedRequest, signIdentity } from '../identity/sign-identity.ts';
import type { SigningKey } from '../identity/signing-key.ts';
import type { Visitor } from '../visitors/visitor.ts';

/** One thing to ask an agent for somebody. */
export interface AgentRequest extends StatedRequest {
  readonly visitor: Visitor;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The way to one agent. */
export interface AgentLink {
  readonly name: string;
  /** Resolves with the agent's answer as soon as its head is there. Throws Refused with `agent-unreachable`. */
  ask(request: AgentRequest): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** The longest that an agent may think: a run over very many sets takes minutes. */
const headersMsMax = 15 * 60_000;
/** An event stream pings every 5 s, so silence of this length is a dead agent. */
const silenceMsMax = 30_000;

/** Opens nothing yet: the first request connects. */
export function createAgentLink(
  agent: { readonly name: string; readonly socket: string },
  signingKey: SigningKey,
): AgentLink {
  const pool = new Pool('http://agent', {
    connect: { socketPath: agent.socket, timeout: 5000 },
    headersTimeout: headersMsMax,
    bodyTimeout: silenceMsMax,
    connections: null,
    keepAliveTimeout: 4000,
  });
  return {
    name: agent.name,
    async ask({ visitor, headers, signal, ...request }) {
      const statement = await signIdentity(signingKey, agent.name, visitor, request);
      try {
        return await pool.request({
          method: request.method,
          path: request.path,
          headers: {
            ...headers,
            authorization: `Bearer ${statement}`,
            ...(request.method === 'POST' ? { 'content-type': 'application/json' } : {}),
          },
          body: request.method === 'POST' ? request.body : null,
          signal,
        });
      } catch (error) {
        if (signal.aborted) throw error;
        throw unreachable(agent, error);
      }
    },
    close: () => pool.destroy(),
  };
}

function unreachable(agent: { readonly name: string; readonly socket: string }, cause: unknown): Refused {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const remedies: Readonly<Record<string, string>> = {
    ENOENT: 'Start the agent; if it runs, compare its socket with agents[].socket of gateway.yaml.',
    ECONNREFUSED: 'Start the agent: its socket is there, and nobody listens.',
    EACCES: 'Give the user of the gateway the group of the socket (setkeeper).',
  };
  return new Refused(
    {
      status: 502,
      code: 'agent-unreachable',
      message: `The agent ${agent.name} does not answer (${code}). What it has programmed stays in the kernel as it is.`,
      subject: agent.name,
      remedy: remedies[code] ?? 'See the log of the agent; what it was asked may or may not have been done.',
    },
    cause,
  );
}
