import { z } from 'zod';
import { Fault } from '../schema/status.ts';
import { query } from '../verb.ts';

/** Faults of document text, for validation as one types. */
export const modelValidate = query(
  'model.validate',
  'viewer',
  z.object({ documents: z.string().max(16_777_216) }),
  z.object({ ok: z.boolean(), faults: z.array(Fault) }),
);
