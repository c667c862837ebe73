import { z } from 'zod';
import { Explanation } from '../schema/model.ts';
import { GroupText } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Why an address is in which sets of the host, or not. */
export const explainAddress = query(
  'explain.address',
  'viewer',
  z.object({ address: z.string().min(2).max(64), group: GroupText.optional() }),
  Explanation,
);
