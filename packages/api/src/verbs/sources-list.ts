import { z } from 'zod';
import { Source } from '../schema/status.ts';
import { query } from '../verb.ts';

/** State of each source, in order of precedence. */
export const sourcesList = query('sources.list', 'viewer', z.void(), z.array(Source));
