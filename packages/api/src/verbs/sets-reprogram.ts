import { z } from 'zod';
import { PlanSelection } from '../schema/plan.ts';
import { Run } from '../schema/run.ts';
import { ClaimedDigest } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Writes whole sets again by temporary set and swap. Returns its run at once, or when it ended with `wait`. */
export const setsReprogram = mutation(
  'sets.reprogram',
  'operator',
  PlanSelection.extend({
    digest: ClaimedDigest.optional(),
    reason: z.string().max(500).optional(),
    wait: z.boolean().default(false),
  }),
  Run,
);
