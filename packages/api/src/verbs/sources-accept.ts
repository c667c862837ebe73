import { z } from 'zod';
import { Reason } from '../schema/scalars.ts';
import { Source } from '../schema/status.ts';
import { mutation } from '../verb.ts';

/** Takes what a source now says as complete. */
export const sourcesAccept = mutation(
  'sources.accept',
  'operator',
  z.object({ name: z.string().max(200), reason: Reason }),
  Source,
);
