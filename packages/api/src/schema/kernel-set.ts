import { z } from 'zod';
import { Holder } from './holder.ts';
import { AllowedVerbs, ClaimedDigest, Digest, Family, GroupText } from './scalars.ts';

export const SetOwner = z.enum(['managed', 'leftover', 'temporary', 'internal', 'foreign']);

/** One set of the host as the kernel shows it. */
export const KernelSet = z.object({
  name: z.string(),
  type: z.string(),
  family: Family.nullable(),
  entries: z.number().int().nullable(),
  references: z.number().int().nullable(),
  memoryBytes: z.number().int().nullable(),
  owner: SetOwner,
  /** The tool a foreign set seems to be of, by its name; never proof. */
  byName: z.string().optional(),
  readable: z.boolean(),
  unreadableWhy: z.string().optional(),
  group: GroupText.optional(),
  prefixShared: z.boolean().optional(),
  note: z.string().optional(),
});
export type KernelSet = z.infer<typeof KernelSet>;

export const Leftover = z.object({
  name: z.string(),
  type: z.string(),
  entries: z.number().int().nullable(),
  references: z.number().int().nullable(),
  eligible: z.boolean(),
  reason: z.string().optional(),
  holders: z.array(Holder),
  form: z.enum(['own', 'temporary', 'acknowledgement', 'former-prefix']),
  ignored: z.boolean(),
  verbs: AllowedVerbs.optional(),
});
export type Leftover = z.infer<typeof Leftover>;

export const CleanupInput = z.object({
  names: z.array(z.string().min(1).max(31)).max(70_000).default([]),
  dryRun: z.boolean().default(false),
  digest: ClaimedDigest.optional(),
  confirm: z.number().int().optional(),
  reason: z.string().max(500).optional(),
  wait: z.boolean().default(true),
});
export const CleanupResult = z.object({
  digest: Digest,
  eligible: z.number().int(),
  script: z.string(),
  removed: z.array(z.string()),
  kept: z.array(z.object({ name: z.string(), reason: z.string(), holders: z.array(Holder) })),
  run: z.string().optional(),
  phase: z.string().optional(),
});
export type CleanupResult = z.infer<typeof CleanupResult>;
