import { z } from 'zod';
import { AuditEntry } from '../schema/event.ts';
import { Page, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Who did what, newest first. */
export const auditList = query(
  'audit.list',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    actor: z.string().max(200).optional(),
    verb: z.string().max(60).optional(),
  }),
  pageOf(AuditEntry),
);
