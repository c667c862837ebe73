import { z } from 'zod';
import { Held } from '../schema/safety.ts';
import { query } from '../verb.ts';

/** Changes that the guard stopped. */
export const heldList = query('held.list', 'viewer', z.void(), z.array(Held));
