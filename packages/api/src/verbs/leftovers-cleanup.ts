import { CleanupInput, CleanupResult } from '../schema/kernel-set.ts';
import { mutation } from '../verb.ts';

/** Destroys exactly the eligible leftovers listed; never a flush. */
export const leftoversCleanup = mutation('leftovers.cleanup', 'operator', CleanupInput, CleanupResult);
