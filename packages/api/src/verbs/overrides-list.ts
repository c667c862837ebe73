import { z } from 'zod';
import { Override } from '../schema/safety.ts';
import { query } from '../verb.ts';

/** Temporary exceptions. */
export const overridesList = query('overrides.list', 'viewer', z.void(), z.array(Override));
