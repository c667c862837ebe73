import { z } from 'zod';
import { AllowedVerbs, Digest, Family, ForSeconds, GroupText, Instant, Reason } from './scalars.ts';

/** A change that the guard stopped: its additions are in, its removals wait. */
export const Held = z.object({
  id: z.string(),
  at: Instant,
  source: z.string(),
  files: z.array(z.string()),
  commit: z.string().optional(),
  objects: z.number().int(),
  why: z.array(z.string()),
  digest: Digest,
  state: z.enum(['held', 'rejected']),
  sets: z.array(
    z.object({
      group: GroupText,
      family: Family.nullable(),
      removes: z.number().int(),
      adds: z.number().int(),
      of: z.number().int(),
      sample: z.array(z.string()),
    }),
  ),
  removes: z.number().int(),
  verbs: AllowedVerbs.optional(),
});
export type Held = z.infer<typeof Held>;

export const Hold = z.object({
  id: z.string(),
  group: GroupText.nullable(),
  by: z.string(),
  reason: z.string(),
  at: Instant,
  until: Instant,
});
export type Hold = z.infer<typeof Hold>;

export const Override = z.object({
  id: z.string(),
  kind: z.enum(['add', 'exclude']),
  group: GroupText,
  address: z.string(),
  by: z.string(),
  reason: z.string(),
  at: Instant,
  until: Instant,
});
export type Override = z.infer<typeof Override>;

export const Pin = z.object({
  group: GroupText,
  referrer: z.string(),
  by: z.string(),
  reason: z.string(),
  at: Instant,
});
export type Pin = z.infer<typeof Pin>;

export const HoldInput = z.object({
  groups: z.array(GroupText).default([]),
  all: z.boolean().default(false),
  forSeconds: ForSeconds,
  reason: Reason,
});
export const OverrideInput = z.object({
  kind: z.enum(['add', 'exclude']),
  group: GroupText,
  address: z.string().min(2).max(64),
  forSeconds: ForSeconds,
  reason: Reason,
});
