import { z } from 'zod';
import { Held } from '../schema/safety.ts';
import { ClaimedDigest } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Drops a held change until the source changes. */
export const heldReject = mutation(
  'held.reject',
  'operator',
  z.object({ id: z.string().max(64), digest: ClaimedDigest.optional(), reason: z.string().max(500).optional() }),
  Held,
);
