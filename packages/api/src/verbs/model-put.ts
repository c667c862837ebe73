import { z } from 'zod';
import { ObjectKind } from '../schema/model.ts';
import { Fault } from '../schema/status.ts';
import { mutation } from '../verb.ts';

/** Writes declared objects from YAML or JSON text; all or nothing. */
export const modelPut = mutation(
  'model.put',
  'operator',
  z.object({ documents: z.string().max(16_777_216), ifRevision: z.number().int().optional() }),
  z.object({
    changed: z.number().int(),
    unchanged: z.number().int(),
    objects: z.array(z.object({ kind: ObjectKind, id: z.string() })),
    revision: z.number().int(),
    warnings: z.array(Fault),
  }),
);
