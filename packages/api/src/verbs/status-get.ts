import { z } from 'zod';
import { Status } from '../schema/status.ts';
import { query } from '../verb.ts';

/** Health on one page. */
export const statusGet = query('status.get', 'viewer', z.void(), Status);
