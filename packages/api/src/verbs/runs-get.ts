import { z } from 'zod';
import { RunDetail } from '../schema/run.ts';
import { query } from '../verb.ts';

/** One run with its script and its failures grouped by cause. */
export const runsGet = query(
  'runs.get',
  'viewer',
  z.object({ id: z.string().max(64), scriptLimit: z.number().int().min(0).max(2_000_000).default(5000) }),
  RunDetail,
);
