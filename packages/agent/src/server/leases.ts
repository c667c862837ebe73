import { ApiError } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { Identity } from './identity-verifier.ts';

/** An open event stream. `signal` ends when its lease is over. */
export interface Lease {
  readonly signal: AbortSignal;
  /** The reader left. */
  close(): void;
}

/** Event streams live as long as somebody says again who reads them (packages/api README). */
export interface Leases {
  /** Throws `rate-limited` when a session, or all of them, has too many streams. */
  open(identity: Identity): Lease;
  /** Renews every stream of the statement's session; ends them all when it now names another user or role, or asks for 0 seconds. `until`: milliseconds since 1970. */
  renew(identity: Identity): { readonly streams: number; readonly until: number };
}

interface Stream {
  readonly identity: Identity;
  readonly end: AbortController;
  cancel: () => void;
}

/** Streams a session (tabs of one browser) and in all. */
const STREAMS_A_SESSION_MAX = 32;
const STREAMS_MAX = 512;

export function createLeases(clock: Clock): Leases {
  const bySession = new Map<string, Set<Stream>>();
  let count = 0;

  const close = (session: string, stream: Stream): void => {
    const streams = bySession.get(session);
    if (streams?.delete(stream) !== true) return;
    count -= 1;
    stream.cancel();
    if (streams.size === 0) bySession.delete(session);
  };
  const finish = (session: string, stream: Stream): void => {
    close(session, stream);
    stream.end.abort();
  };

  return {
    open: (identity) => {
      const session = sessionOf(identity);
      const streams = bySession.get(session) ?? new Set<Stream>();
      if (streams.size >= STREAMS_A_SESSION_MAX || count >= STREAMS_MAX)
        throw new ApiError('rate-limited', 'Too many event streams are open.', { remedy: 'Close some tabs.' });
      const stream: Stream = { identity, end: new AbortController(), cancel: () => {} };
      streams.add(stream);
      bySession.set(session, streams);
      count += 1;
      stream.cancel = clock.after(lifeMs(identity, clock), () => finish(session, stream));
      return { signal: stream.end.signal, close: () => close(session, stream) };
    },
    renew: (identity) => {
      const session = sessionOf(identity);
      const ms = lifeMs(identity, clock);
      let streams = 0;
      for (const stream of bySession.get(session) ?? []) {
        stream.cancel();
        if (ms <= 0 || !isSameCaller(stream.identity, identity)) finish(session, stream);
        else {
          stream.cancel = clock.after(ms, () => finish(session, stream));
          streams += 1;
        }
      }
      return { streams, until: clock.now() + Math.max(0, ms) };
    },
  };
}

const sessionOf = ({ kid, claims }: Identity): string => `${kid} ${claims.sid}`;

/** From when it was signed; without a lease the statement's own life. */
const lifeMs = ({ claims }: Identity, clock: Clock): number =>
  (claims.lease === undefined ? claims.exp : claims.iat + claims.lease) * 1000 - clock.now();

const isSameCaller = (one: Identity, other: Identity): boolean =>
  one.claims.sub === other.claims.sub && one.claims.role === other.claims.role;
