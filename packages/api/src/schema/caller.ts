import type { Role } from './scalars.ts';

/** Who asks, as the server has proved it: the admin socket's owner or a gateway's signed statement. */
export interface Caller {
  /** Stable id: `uid:0`, or the user's id at the gateway. */
  readonly subject: string;
  /** For people: `root`, `maria`. */
  readonly name: string;
  readonly role: Role;
  readonly via: 'admin-socket' | 'gateway';
  /** The login user behind the admin socket (`/proc/self/loginuid`), as the CLI claims it; never proof. */
  readonly claimed?: string;
  readonly sessionId?: string;
}
