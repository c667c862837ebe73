import { z } from 'zod';
import { ObjectKind } from '../schema/model.ts';
import { mutation } from '../verb.ts';

/** Deletes a declared object. */
export const modelDelete = mutation(
  'model.delete',
  'operator',
  z.object({ kind: ObjectKind, id: z.string().max(253), ifRevision: z.number().int().optional() }),
  z.object({ changed: z.number().int(), revision: z.number().int() }),
);
