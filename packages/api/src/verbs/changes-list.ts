import { z } from 'zod';
import { Change } from '../schema/event.ts';
import { Instant, Page, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** One time line of model changes, runs, drift and operators' acts, newest first. */
export const changesList = query(
  'changes.list',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    kind: z.enum(['model', 'run', 'drift', 'operator', 'source', 'guard']).optional(),
    since: Instant.optional(),
  }),
  pageOf(Change),
);
