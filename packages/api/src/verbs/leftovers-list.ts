import { z } from 'zod';
import { Leftover } from '../schema/kernel-set.ts';
import { Digest, Instant } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** What cleanup could remove, headers and holders read anew. */
export const leftoversList = query(
  'leftovers.list',
  'viewer',
  z.object({ filter: z.string().max(500).optional() }),
  z.object({ items: z.array(Leftover), digest: Digest, at: Instant }),
);
