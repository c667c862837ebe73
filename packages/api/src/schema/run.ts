import { z } from 'zod';
import { Family, Instant } from './scalars.ts';

/** What became of one operation (DESIGN: outcome). */
export const Outcome = z.enum(['applied', 'rejected', 'skipped', 'not-run']);
export const RunPhase = z.enum(['running', 'succeeded', 'partly', 'failed', 'interrupted']);

/** One execution of a plan. `sets` counts the sets touched. */
export const Run = z.object({
  id: z.string(),
  at: Instant,
  finishedAt: Instant.optional(),
  /** What made it: `model`, `reprogram`, `retry`, `cleanup`, `drift`, `start`, `apply`, `release`, `override`, `hold-ended`, `pin`, ... */
  cause: z.string(),
  /** Files, commit or revision of the model change behind it, for people. */
  causeDetail: z.string().optional(),
  actor: z.string(),
  reason: z.string().optional(),
  phase: RunPhase,
  sets: z.number().int(),
  setNames: z.array(z.string()).optional(),
  operations: z.object({
    applied: z.number().int(),
    rejected: z.number().int(),
    skipped: z.number().int(),
    notRun: z.number().int(),
  }),
  lines: z.number().int(),
  attempts: z.number().int(),
  durationMs: z.number(),
  digest: z.string(),
  /** One problem that stopped the whole run (permission, missing type, binary gone, ...). */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Run = z.infer<typeof Run>;

/** One line of a run's script with what became of it. `line` counts from 1. */
export const LineOutcome = z.object({
  line: z.number().int(),
  text: z.string(),
  /** What the line means, for people. */
  meaning: z.string(),
  set: z.string(),
  group: z.string().nullable(),
  family: Family.nullable(),
  outcome: Outcome,
  code: z.string().optional(),
  message: z.string().optional(),
  /** The tool's raw stderr. */
  raw: z.string().optional(),
  /** The line that caused a skip. */
  because: z.number().int().optional(),
  /** What the read-back after the failure found, and what an operator can do. */
  readBack: z.string().optional(),
  remedy: z.string().optional(),
});
export type LineOutcome = z.infer<typeof LineOutcome>;

/** Failures with one cause: `50 are "full" in net:block`. */
export const FailureGroup = z.object({
  code: z.string(),
  message: z.string(),
  set: z.string(),
  group: z.string().nullable(),
  count: z.number().int(),
  firstLine: z.number().int(),
  remedy: z.string(),
});

/** One run whole: its script and the outcome of every line asked for. */
export const RunDetail = Run.extend({
  script: z.string(),
  scriptTruncated: z.boolean(),
  failures: z.array(FailureGroup),
  retryable: z.number().int(),
});
export type RunDetail = z.infer<typeof RunDetail>;
