import { z } from 'zod';

/** An instant, ISO-8601 in UTC. */
export const Instant = z.string().describe('ISO-8601, UTC');
/** An address family in netfilter's words. */
export const Family = z.enum(['inet', 'inet6']);
/** The text of a group id, `tag:web`; its grammar is checked by the agent (packages/ipset). */
export const GroupText = z.string().min(3).max(700);
/** The digest of a plan: lower-case SHA-256. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/u, 'a digest is 64 lower-case hexadecimal digits');
/** A digest as somebody repeats it: one that was cut short is refused as stale, like every other that is not the plan's. */
export const ClaimedDigest = z.string().regex(/^[0-9a-f]{1,64}$/u, 'a digest is 64 lower-case hexadecimal digits');
/** Why an operator acts; kept in the audit. */
export const Reason = z.string().trim().min(1, 'say why').max(500);
/** How long a hold or an override lasts, in seconds: at most a year. */
export const ForSeconds = z
  .number()
  .int()
  .min(1)
  .max(366 * 86_400);
/** The roles, weakest first (CONTRACT: section 7). */
export const Role = z.enum(['viewer', 'operator', 'admin']);
export type Role = z.infer<typeof Role>;

/**
 * The part of a list that every list verb takes: a page by cursor. Text filters are per verb. A cursor may name the last
 * row and what it was sorted by: two ids of 253 bytes, or an id and a path.
 */
export const Page = z.object({
  cursor: z.string().max(8_192).optional(),
  limit: z.number().int().min(1).max(1000).default(100),
});

/** The order of a list: a column of that list's rows. */
export const sortOf = <const T extends readonly [string, ...string[]]>(columns: T) =>
  z.object({ by: z.enum(columns), desc: z.boolean().default(false) }).optional();

/** One page of rows, how many match the filter in all, and when that was true. */
export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({ items: z.array(row), total: z.number().int(), nextCursor: z.string().optional(), at: Instant });

/** What may be done with an object by the one who asks, and why not. Keys are verbs. */
export const AllowedVerbs = z.record(z.string(), z.object({ allowed: z.boolean(), reason: z.string().optional() }));
