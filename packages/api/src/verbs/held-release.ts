import { z } from 'zod';
import { Run } from '../schema/run.ts';
import { ClaimedDigest } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Lets exactly this held change through, once. */
export const heldRelease = mutation(
  'held.release',
  'operator',
  z.object({
    id: z.string().max(64),
    digest: ClaimedDigest.optional(),
    reason: z.string().max(500).optional(),
    wait: z.boolean().default(false),
  }),
  Run,
);
