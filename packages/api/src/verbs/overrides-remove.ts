import { z } from 'zod';
import { Override } from '../schema/safety.ts';
import { mutation } from '../verb.ts';

/** Ends an override; returns what is left. */
export const overridesRemove = mutation(
  'overrides.remove',
  'operator',
  z.object({ id: z.string().max(64) }),
  z.array(Override),
);
