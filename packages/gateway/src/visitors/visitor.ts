import type { Role } from '@setkeeper/api';

/** Who asks, as the gateway has proved it. */
export interface Visitor {
  /** Stable id of the user. */
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  /** The session or token, by an id that is no secret. Leases of event streams go by it. */
  readonly sessionId: string;
}
