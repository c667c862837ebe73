import { z } from 'zod';
import { Leak } from '../schema/holder.ts';
import { query } from '../verb.ts';

/** Lasting unexplained references and orphaned named ones. */
export const leaksList = query('leaks.list', 'viewer', z.void(), z.array(Leak));
