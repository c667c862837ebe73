import { z } from 'zod';
import { ReferenceDocRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** References documents, and whether they are for this host. */
export const modelReferences = query(
  'model.references',
  'viewer',
  Page.extend({ filter: z.string().max(500).optional(), sort: sortOf(['id']) }),
  pageOf(ReferenceDocRow),
);
