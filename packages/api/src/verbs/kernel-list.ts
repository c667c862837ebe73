import { z } from 'zod';
import { KernelSet, SetOwner } from '../schema/kernel-set.ts';
import { query } from '../verb.ts';

/** Every set of the host, headers read anew. */
export const kernelList = query(
  'kernel.list',
  'viewer',
  z.object({ filter: z.string().max(500).optional(), owner: SetOwner.optional() }),
  z.array(KernelSet),
);
