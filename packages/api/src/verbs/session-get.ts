import { z } from 'zod';
import { Role } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Who the agent takes the caller for, and which verbs that role may ask. */
export const sessionGet = query(
  'session.get',
  'viewer',
  z.void(),
  z.object({
    subject: z.string(),
    name: z.string(),
    role: Role,
    via: z.string(),
    verbs: z.record(z.string(), z.boolean()),
  }),
);
