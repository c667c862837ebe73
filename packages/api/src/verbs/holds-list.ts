import { z } from 'zod';
import { Hold } from '../schema/safety.ts';
import { query } from '../verb.ts';

/** Operators' stops of programming and repair. */
export const holdsList = query('holds.list', 'viewer', z.void(), z.array(Hold));
