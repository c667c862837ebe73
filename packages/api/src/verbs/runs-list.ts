import { z } from 'zod';
import { Run, RunPhase } from '../schema/run.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Runs, newest first. */
export const runsList = query(
  'runs.list',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['at', 'durationMs', 'sets']),
    failed: z.boolean().default(false),
    set: z.string().max(31).optional(),
    phase: RunPhase.optional(),
  }),
  pageOf(Run),
);
