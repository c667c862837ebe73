import { z } from 'zod';
import { LineOutcome } from '../schema/run.ts';
import { Page, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** The outcome of every line, as the script has them or those first that were not applied. */
export const runsOutcomes = query(
  'runs.outcomes',
  'viewer',
  Page.extend({
    id: z.string().max(64),
    only: z.enum(['all', 'bad', 'rejected', 'skipped', 'not-run', 'applied']).default('all'),
    order: z.enum(['line', 'failed-first']).default('line'),
    filter: z.string().max(500).optional(),
    code: z.string().max(40).optional(),
    set: z.string().max(31).optional(),
  }),
  pageOf(LineOutcome),
);
