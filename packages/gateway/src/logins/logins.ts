import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Visitor } from '../visitors/visitor.ts';

/** How the gateway knows who asks. One implementation trusts everybody on this machine, the other has passwords and tokens. */
export interface Logins {
  readonly isOn: boolean;
  /** Who sends this request; null: nobody known. Never counts as activity. */
  who(request: FastifyRequest): Promise<Visitor | null>;
  /** Whether somebody who asked before may still look, and with which role; null if not. */
  current(visitor: Visitor): Promise<Visitor | null>;
  /** Adds the addresses of sessions, tokens and users below `/api`. */
  register(app: FastifyInstance): void;
  close(): void;
}
