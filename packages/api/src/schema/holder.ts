import { z } from 'zod';
import { Family, GroupText, Instant } from './scalars.ts';

/** What was found to account for kernel references. `count` is how many references it accounts for. */
export const Holder = z.object({
  kind: z.enum([
    'iptables-nft',
    'ip6tables-nft',
    'iptables-legacy',
    'ip6tables-legacy',
    'list-set',
    'nft-compat',
    'tc',
    'dump',
  ]),
  /** e.g. `filter INPUT 3`, `list trusted`, `pid 4711 ipset`. */
  where: z.string(),
  table: z.string().optional(),
  chain: z.string().optional(),
  number: z.number().int().optional(),
  rule: z.string().optional(),
  packets: z.string().optional(),
  bytes: z.string().optional(),
  count: z.number().int(),
  /** The command that removes it, for the operator to copy. */
  removeWith: z.string().optional(),
});
export type Holder = z.infer<typeof Holder>;

/** What could not be read, so that its silence is never taken for "no holder". */
export const Unreadable = z.object({ what: z.string(), why: z.string(), remedy: z.string() });
export type Unreadable = z.infer<typeof Unreadable>;

export const ReferenceRow = z.object({
  group: GroupText.optional(),
  name: z.string(),
  family: Family.nullable(),
  named: z.array(z.object({ referrer: z.string(), since: Instant })),
  kernel: z.number().int().nullable(),
  holders: z.array(Holder),
  possibleHolders: z.array(Holder),
  unexplained: z.number().int().nullable(),
  unexplainedSince: Instant.nullable(),
  unreadable: z.array(Unreadable),
  owner: z.string(),
});
export type ReferenceRow = z.infer<typeof ReferenceRow>;

export const Leak = z.object({
  kind: z.enum(['kernel', 'named']),
  name: z.string().optional(),
  group: GroupText.optional(),
  count: z.number().int(),
  since: Instant,
  holders: z.array(Holder),
  possibleHolders: z.array(Holder),
  advice: z.string(),
});
export type Leak = z.infer<typeof Leak>;
