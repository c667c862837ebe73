import { z } from 'zod';
import { Instant, Role } from './schema/scalars.ts';

/** Where a gateway reports on an agent's group socket what happened to its accounts: `POST`, `AccountEvents` as JSON. */
export const accountEventsPath = '/api/account-events';
/** The subject under which a gateway speaks for itself. No user has it: theirs are UUIDs. */
export const gatewaySubject = 'gateway';
/** Events that one report may hold. */
export const accountEventsMax = 100;

/** Something that happened to an account of a gateway: a sign-in, a changed role, a token made or revoked. */
export const AccountEvent = z.object({
  /** Its number at the gateway: a report whose answer was lost comes again with the same ones. */
  id: z.number().int().positive(),
  at: Instant.max(40),
  /** The name that acted, or that was typed. */
  actor: z.string().max(200),
  /** The actor's role, where it is known. */
  role: Role.nullable(),
  /** False: somebody typed that name and could not prove it. */
  proved: z.boolean(),
  /** What was done, e.g. `sign-in`, `change-user`. */
  act: z.string().regex(/^[a-z][a-z.-]{0,59}$/u),
  /** To whom or what. */
  subject: z.string().max(300),
  /** From where. */
  address: z.string().max(100),
  /** `done`, or why not. */
  result: z.string().max(100),
});
export type AccountEvent = z.infer<typeof AccountEvent>;

/** One report, oldest first. */
export const AccountEvents = z.object({ events: z.array(AccountEvent).max(accountEventsMax) });
