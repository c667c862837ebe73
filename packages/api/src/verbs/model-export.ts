import { z } from 'zod';
import { query } from '../verb.ts';

/** Everything out again: the model as YAML, or the acknowledged sets as restore input. */
export const modelExport = query(
  'model.export',
  'viewer',
  z.object({ format: z.enum(['yaml', 'restore']).default('yaml'), source: z.string().max(200).optional() }),
  z.object({ text: z.string(), revision: z.number().int() }),
);
