import type { Role } from '@setkeeper/api';

/** Who asks, as the gateway has proved it. */
export interface Visitor {
  /** Stable id of the user. */
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  /** The session or token, by an id that is no secret. Leases of event streams go by it. */
  readonly sessionId: string;
  readonly via: 'session' | 'token' | 'nobody-else';
  /** Somebody else made the password: only changing it is allowed. */
  readonly mustChangePassword: boolean;
}
