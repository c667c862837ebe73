import { z } from 'zod';
import { Run } from '../schema/run.ts';
import { mutation } from '../verb.ts';

/** The parked of a run, now. */
export const runsRetry = mutation(
  'runs.retry',
  'operator',
  z.object({ id: z.string().max(64), wait: z.boolean().default(false) }),
  Run,
);
