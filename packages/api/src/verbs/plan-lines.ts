import { z } from 'zod';
import { PlanLine, PlanSelection } from '../schema/plan.ts';
import { ClaimedDigest, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** A plan's lines with their meaning, by cursor; `digest-stale` if the plan is no longer that one. */
export const planLines = query(
  'plan.lines',
  'viewer',
  PlanSelection.extend({
    digest: ClaimedDigest,
    cursor: z.string().max(200).optional(),
    limit: z.number().int().min(1).max(5000).default(500),
    filter: z.string().max(500).optional(),
    set: z.string().max(31).optional(),
  }),
  pageOf(PlanLine),
);
