import { z } from 'zod';
import { Plan, PlanSelection } from '../schema/plan.ts';
import { query } from '../verb.ts';

/** The exact restore script for what is pending, and its digest; changes nothing. */
export const planGet = query(
  'plan.get',
  'viewer',
  PlanSelection.extend({ scriptLimit: z.number().int().min(0).max(2_000_000).default(5000) }),
  Plan,
);
