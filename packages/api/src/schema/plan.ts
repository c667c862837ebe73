import { z } from 'zod';
import { Digest, Family, GroupText, Instant } from './scalars.ts';

export const How = z.enum(['delta', 'rewrite', 'create', 'destroy']);
export const Blocked = z.enum([
  'not-read',
  'source-missing',
  'not-referenced',
  'name-collision',
  'header-conflict',
  'held',
  'on-hold',
]);
export type Blocked = z.infer<typeof Blocked>;

/** What a plan does to one set; `adds` and `dels` are counts of logical members. */
export const PlanSet = z.object({
  group: GroupText.nullable(),
  family: Family.nullable(),
  name: z.string(),
  how: How,
  adds: z.number().int(),
  dels: z.number().int(),
  /** Members now programmed, and after the plan. */
  before: z.number().int(),
  after: z.number().int(),
  blocked: Blocked.optional(),
  blockedDetail: z.string().optional(),
  firstLine: z.number().int(),
  lines: z.number().int(),
});

/** The exact restore script and its digest. `script` is cut at `scriptLimit` lines for the wire; `plan.lines` pages all. */
export const Plan = z.object({
  digest: Digest,
  lines: z.number().int(),
  script: z.string(),
  scriptTruncated: z.boolean(),
  sets: z.array(PlanSet),
  modelRevision: z.number().int(),
  at: Instant,
});
export type Plan = z.infer<typeof Plan>;

/** One line of a plan with its meaning. */
export const PlanLine = z.object({
  line: z.number().int(),
  text: z.string(),
  meaning: z.string(),
  set: z.string(),
  group: GroupText.nullable(),
  family: Family.nullable(),
});

/** Which sets a plan is for. No groups: all. */
export const PlanSelection = z.object({
  groups: z.array(GroupText).max(100_000).default([]),
  reprogram: z.boolean().default(false),
  all: z.boolean().default(false),
  maxelem: z.number().int().min(1).max(4_294_967_295).optional(),
});
export type PlanSelection = z.infer<typeof PlanSelection>;
