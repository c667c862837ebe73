import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Visitor } from '../visitors/visitor.ts';

/** How the gateway knows who asks. One implementation trusts everybody on this machine, the other has passwords and tokens. */
export interface Logins {
  readonly isOn: boolean;
  /** Where the one-time code for the first admin is, while there is no user. */
  readonly codeFile?: string | undefined;
  /** Who sends this request; null: nobody known. Never counts as activity. */
  who(request: FastifyRequest): Promise<Visitor | null>;
  /** Somebody acted: the idle clock of the session begins anew. */
  active(visitor: Visitor): void;
  /** Whether somebody who asked before may still look, and with which role; null if not. */
  current(visitor: Visitor): Promise<Visitor | null>;
  /** Adds the addresses of sessions, tokens and users below `/api`. */
  register(app: FastifyInstance): void;
  close(): void;
}
