import { z } from 'zod';
import { ObjectKind } from '../schema/model.ts';
import { query } from '../verb.ts';

/**
 * Everything out again: the model as YAML, or the acknowledged sets as restore input. `source`: only what that source
 * says; `object`: only that one. `revision` belongs to the text: of the declared objects with that source, else of the model.
 */
export const modelExport = query(
  'model.export',
  'viewer',
  z.object({
    format: z.enum(['yaml', 'restore']).default('yaml'),
    source: z.string().max(200).optional(),
    object: z.object({ kind: ObjectKind, id: z.string().max(253) }).optional(),
  }),
  z.object({ text: z.string(), revision: z.number().int() }),
);
