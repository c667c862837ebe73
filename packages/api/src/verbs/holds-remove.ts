import { z } from 'zod';
import { Hold } from '../schema/safety.ts';
import { GroupText } from '../schema/scalars.ts';
import { mutation } from '../verb.ts';

/** Ends holds; none named: every hold. Returns what is left. */
export const holdsRemove = mutation(
  'holds.remove',
  'operator',
  z.object({ groups: z.array(GroupText).default([]) }),
  z.array(Hold),
);
