import { z } from 'zod';
import { Pin } from '../schema/safety.ts';
import { query } from '../verb.ts';

/** Operators' references. */
export const pinsList = query('pins.list', 'viewer', z.void(), z.array(Pin));
