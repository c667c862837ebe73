import { z } from 'zod';
import { query } from '../verb.ts';

/** Prometheus text. */
export const metricsGet = query('metrics.get', 'viewer', z.void(), z.object({ text: z.string() }));
