import { z } from 'zod';
import { query } from '../verb.ts';

/** Runs and event-to-kernel latency per bucket; `at` in seconds since 1970. */
export const statusCharts = query(
  'status.charts',
  'viewer',
  z.object({ minutes: z.number().int().min(5).max(10_080).default(180) }),
  z.object({
    at: z.array(z.number()),
    runs: z.array(z.number()),
    failed: z.array(z.number()),
    latencyP50Ms: z.array(z.number().nullable()),
    latencyP99Ms: z.array(z.number().nullable()),
  }),
);
