import type { Role } from '@setkeeper/api';

/** What `GET /api/session` answers: who is signed in, and for how long still. */
export interface SessionAnswer {
  /** False: everybody on this machine is the operator `local`. */
  readonly loginsEnabled: boolean;
  /** There is no user yet: the page asks for the one-time code. */
  readonly needsFirstAdmin: boolean;
  readonly user: { readonly id: string; readonly name: string; readonly role: Role } | null;
  readonly role: Role | null;
  /** Only a new password is taken before anything else is. */
  readonly mustChangePassword: boolean;
  /** Times are ISO-8601, UTC. `now` is the gateway's clock, so that a wrong clock of the browser does no harm. */
  readonly session: {
    readonly now: string;
    readonly startedAt: string;
    readonly idleEndsAt: string;
    readonly absoluteEndsAt: string;
  } | null;
  /** Names of the agents, the first is behind `/api/trpc`; empty for nobody known. */
  readonly agents: readonly string[];
}
