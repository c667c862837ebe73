import { z } from 'zod';
import { query } from '../verb.ts';

/** Checks the audit's chain. */
export const auditVerify = query(
  'audit.verify',
  'viewer',
  z.void(),
  z.object({
    ok: z.boolean(),
    entries: z.number().int(),
    head: z.string(),
    brokenAt: z.string().optional(),
    detail: z.string(),
  }),
);
