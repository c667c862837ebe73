import { z } from 'zod';
import { PlanSelection } from '../schema/plan.ts';
import { Run } from '../schema/run.ts';
import { ClaimedDigest } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Sends now what is pending; with a digest exactly that. */
export const planApply = mutation(
  'plan.apply',
  'operator',
  PlanSelection.extend({
    digest: ClaimedDigest.optional(),
    reason: z.string().max(500).optional(),
    wait: z.boolean().default(false),
  }),
  Run,
);
