import { identityLifeSeconds, leasePath, leaseSecondsMax } from '@setkeeper/api';
import type { Visitor } from '../visitors/visitor.ts';
import type { AgentLink } from './agent-link.ts';

/** An event stream that a visitor has open at an agent. */
export interface OpenStream {
  readonly link: AgentLink;
  readonly visitor: Visitor;
  /** Ends the stream on our side. */
  readonly end: () => void;
}

/**
 * Keeps event streams alive for as long as their session may look. An agent ends a stream whose lease is not renewed, so a
 * gateway that dies, or that is told of a sign-out, needs to do nothing more.
 */
export interface StreamLeases {
  /** Takes a stream on; call what is returned when it has closed. */
  add(stream: OpenStream): () => void;
  /** Streams of a session now. */
  countOf(sessionId: string): number;
  readonly count: number;
  /** Ends every stream of a session at once, here and at the agents. */
  endSession(sessionId: string): Promise<void>;
  /** Renews what may go on and ends what may not; called every `renewalSeconds`. */
  renew(): Promise<void>;
}

/** How often leases are renewed: two renewals may be lost before a stream ends. */
export const renewalSeconds = Math.min(20, identityLifeSeconds);

/** `current` says whether a session may still look, and with which role; null if not. */
export function createStreamLeases(current: (visitor: Visitor) => Promise<Visitor | null>): StreamLeases {
  const streams = new Set<OpenStream>();

  const ofSession = (sessionId: string): OpenStream[] =>
    [...streams].filter((stream) => stream.visitor.sessionId === sessionId);

  const end = async (ending: readonly OpenStream[]): Promise<void> => {
    for (const stream of ending) {
      streams.delete(stream);
      stream.end();
    }
    await Promise.all(onePerAgent(ending).map((stream) => lease(stream, 0)));
  };

  return {
    add(stream) {
      streams.add(stream);
      return () => void streams.delete(stream);
    },
    countOf: (sessionId) => ofSession(sessionId).length,
    get count() {
      return streams.size;
    },
    endSession: (sessionId) => end(ofSession(sessionId)),
    async renew() {
      for (const sessionId of new Set([...streams].map((stream) => stream.visitor.sessionId))) {
        const open = ofSession(sessionId);
        const [first] = open;
        if (first === undefined) continue;
        const now = await current(first.visitor);
        const mayLook = now?.mustChangePassword === false ? now : null;
        const mayGoOn = open.filter(
          ({ visitor }) => mayLook?.subject === visitor.subject && mayLook.role === visitor.role,
        );
        const ending = open.filter((stream) => !mayGoOn.includes(stream));
        if (ending.length > 0) await end(ending);
        await Promise.all(onePerAgent(mayGoOn).map((stream) => lease(stream, leaseSecondsMax)));
      }
    },
  };
}

/** A renewal is for all streams of a session at an agent. */
function onePerAgent(streams: readonly OpenStream[]): OpenStream[] {
  return [...new Map(streams.map((stream) => [stream.link, stream])).values()];
}

/** Tells an agent how long a session's streams may live. An agent that cannot be told ends them by itself. */
async function lease({ link, visitor }: OpenStream, leaseSeconds: number): Promise<void> {
  try {
    const { body } = await link.ask({
      visitor,
      method: 'POST',
      path: leasePath,
      body: Buffer.from('{}'),
      leaseSeconds,
      signal: AbortSignal.timeout(10_000),
    });
    await body.dump();
  } catch {
    // The stream shows the loss: it closes, and whoever reads it comes back.
  }
}
