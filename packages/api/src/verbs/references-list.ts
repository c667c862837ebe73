import { z } from 'zod';
import { ReferenceRow } from '../schema/holder.ts';
import { GroupText } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Named references, the kernel's number and the holders found, read anew. */
export const referencesList = query(
  'references.list',
  'viewer',
  z.object({ group: GroupText.optional(), filter: z.string().max(500).optional() }),
  z.array(ReferenceRow),
);
