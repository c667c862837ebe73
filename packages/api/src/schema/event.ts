import { z } from 'zod';
import { Instant } from './scalars.ts';

/** The closed list of event types. `reset` tells a reader to fetch everything again. */
export const EventType = z.enum([
  'reset',
  'heartbeat',
  'status-changed',
  'sets-changed',
  'run-started',
  'run-progress',
  'run-finished',
  'problem-raised',
  'problem-cleared',
  'source-changed',
  'model-changed',
  'drift-found',
  'drift-repaired',
  'held-changed',
  'holds-changed',
  'overrides-changed',
  'pins-changed',
  'kernel-changed',
  'references-changed',
  'audit-appended',
]);
export type EventType = z.infer<typeof EventType>;

/** One event: id `<epoch>-<seq>`, what happened, a few facts. Groups are cut at 100 with `more` counting the rest. */
export const AgentEvent = z.object({
  id: z.string(),
  at: Instant,
  type: EventType,
  groups: z.array(z.string()).optional(),
  more: z.number().int().optional(),
  run: z.string().optional(),
  subject: z.string().optional(),
  message: z.string().optional(),
  progress: z.object({ done: z.number().int(), total: z.number().int(), rejected: z.number().int() }).optional(),
});
export type AgentEvent = z.infer<typeof AgentEvent>;

/** One entry of the Changes time line. */
export const Change = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(['model', 'run', 'drift', 'operator', 'source', 'guard']),
  actor: z.string(),
  subject: z.string(),
  text: z.string(),
  groups: z.array(z.string()),
  run: z.string().optional(),
  link: z.string().optional(),
});
export type Change = z.infer<typeof Change>;

export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  actor: z.string(),
  role: z.string(),
  claimed: z.string().optional(),
  verb: z.string(),
  input: z.string(),
  result: z.string(),
  via: z.string(),
  requestId: z.string(),
  durationMs: z.number().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const DoctorCheck = z.object({
  check: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  remedy: z.string().optional(),
});
export type DoctorCheck = z.infer<typeof DoctorCheck>;
