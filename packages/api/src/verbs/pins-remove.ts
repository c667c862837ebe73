import { z } from 'zod';
import { Pin } from '../schema/safety.ts';
import { GroupText } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Ends an operator's reference, or with `referrer` an orphaned named one. */
export const pinsRemove = mutation(
  'pins.remove',
  'operator',
  z.object({ group: GroupText, referrer: z.string().max(300).optional() }),
  Pin,
);
