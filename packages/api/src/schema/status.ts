import { z } from 'zod';
import { Problem } from './problem.ts';
import { Run } from './run.ts';
import { Instant } from './scalars.ts';

export const SourceState = z.enum(['current', 'stale', 'missing']);

/** A fault of a document or object; nothing of the object is taken over. */
export const Fault = z.object({
  file: z.string(),
  line: z.number().int(),
  path: z.string(),
  reason: z.string(),
  severity: z.enum(['error', 'warning']).default('error'),
});
export type Fault = z.infer<typeof Fault>;

export const Source = z.object({
  name: z.string(),
  kind: z.enum(['directory', 'etcd', 'declared']),
  state: SourceState,
  since: Instant.optional(),
  objects: z.number().int(),
  problems: z.array(Fault),
  lastGoodAt: Instant.nullable(),
  detail: z.string().optional(),
  commit: z.string().optional(),
  waiting: z.string().optional(),
});
export type Source = z.infer<typeof Source>;

/** Health on one page. `sentence` is the one an operator reads first. */
export const Status = z.object({
  ok: z.boolean(),
  sentence: z.string(),
  host: z.string(),
  version: z.string(),
  mode: z.enum(['manage', 'observe']),
  startedAt: Instant,
  at: Instant,
  epoch: z.string(),
  prefix: z.string(),
  apply: z.enum(['auto', 'manual']),
  headersSeconds: z.number(),
  sourcesCurrent: z.boolean(),
  sources: z.array(Source),
  sets: z.object({
    total: z.number().int(),
    live: z.number().int(),
    dirty: z.number().int(),
    drifted: z.number().int(),
    failed: z.number().int(),
    unknown: z.number().int(),
    unused: z.number().int(),
    inSync: z.number().int(),
  }),
  members: z.object({ inet: z.number().int(), inet6: z.number().int() }),
  held: z.number().int(),
  holds: z.number().int(),
  overrides: z.number().int(),
  leftovers: z.number().int(),
  leaks: z.number().int(),
  pending: z.object({ adds: z.number().int(), dels: z.number().int(), sets: z.number().int() }),
  problems: z.array(Problem),
  lastRun: Run.nullable(),
  running: z.boolean(),
  kernel: z.object({
    ipset: z.string().nullable(),
    protocol: z.number().int().nullable(),
    types: z.array(z.string()),
    namespace: z.string(),
    iptables: z.string().nullable().optional(),
    release: z.string().optional(),
  }),
  readAt: Instant.nullable(),
  modelKinds: z.record(z.string(), z.number().int()),
});
export type Status = z.infer<typeof Status>;

/** The answer behind `wait`: whether sources have spoken and nothing is pending or running. */
export const Settled = z.object({
  settled: z.boolean(),
  failed: z.array(z.string()),
  held: z.number().int(),
  waitingFor: z.array(z.string()),
});
