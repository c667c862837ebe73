import { z } from 'zod';
import { Settled } from '../schema/status.ts';
import { query } from '../verb.ts';

/** Whether sources have spoken and nothing is pending or running; `wait` asks it again at each event. */
export const statusSettled = query('status.settled', 'viewer', z.void(), Settled);
