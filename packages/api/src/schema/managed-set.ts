import { z } from 'zod';
import { Holder } from './holder.ts';
import { Blocked } from './plan.ts';
import { AllowedVerbs, Family, GroupText, Instant } from './scalars.ts';

export const Phase = z.enum(['waiting', 'starting', 'live', 'stopping']);
export const Sync = z.enum(['unknown', 'drifted', 'dirty', 'in-sync']);
export const LastResult = z.enum(['none', 'running', 'succeeded', 'partly', 'failed', 'interrupted']);
export const Use = z.enum(['used', 'unused', 'unseen']);
export const GroupKind = z.enum(['tag', 'port', 'net', 'list', 'hosts']);

/** One managed set: the separate answers of DESIGN section 3. Counts are of logical members. */
export const ManagedSet = z.object({
  group: GroupText,
  kind: GroupKind,
  family: Family.nullable(),
  name: z.string(),
  type: z.string(),
  maxelem: z.number().nullable(),
  phase: Phase,
  sync: Sync,
  syncCause: z.string().optional(),
  use: Use,
  usedBy: z.number().int(),
  desired: z.number().int(),
  programmed: z.number().int().nullable(),
  kernel: z.number().int().nullable(),
  pending: z.object({ adds: z.number().int(), dels: z.number().int() }),
  overCapacity: z.number().int(),
  parked: z.number().int(),
  drifted: z.number().int(),
  defined: z.boolean(),
  references: z.array(z.string()),
  kernelReferences: z.number().int().nullable(),
  lastRun: z.string().nullable(),
  lastResult: LastResult,
  readAt: Instant.nullable(),
  changedAt: Instant.nullable(),
  blocked: Blocked.optional(),
  blockedDetail: z.string().optional(),
  error: z.string().optional(),
  onHold: z.boolean(),
  adopted: z.boolean(),
});
export type ManagedSet = z.infer<typeof ManagedSet>;

/** A member or operation that the kernel rejected and that waits for its retry. */
export const ParkedMember = z.object({
  member: z.string(),
  op: z.enum(['add', 'del', 'create', 'swap', 'destroy']),
  code: z.string(),
  message: z.string(),
  since: Instant,
  attempts: z.number().int(),
  retryAt: Instant,
  run: z.string().nullable(),
});

export const DriftEntry = z.object({
  id: z.string(),
  at: Instant,
  group: GroupText,
  family: Family.nullable(),
  name: z.string(),
  kind: z.enum(['members', 'destroyed', 'created', 'retyped', 'family', 'header', 'swapped']),
  added: z.number().int(),
  removed: z.number().int(),
  sampleAdded: z.array(z.string()),
  sampleRemoved: z.array(z.string()),
  repairedAt: Instant.nullable(),
  repairRun: z.string().nullable(),
});
export type DriftEntry = z.infer<typeof DriftEntry>;

/** One set whole. Long lists are cut at 1,000 with their full count in ManagedSet; `sets.members` pages all. */
export const ManagedSetDetail = ManagedSet.extend({
  header: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).nullable(),
  pendingAdds: z.array(z.string()),
  pendingDels: z.array(z.string()),
  overCapacityMembers: z.array(z.string()),
  parkedMembers: z.array(ParkedMember),
  referenceDetails: z.array(
    z.object({ referrer: z.string(), since: Instant, by: z.string().optional(), reason: z.string().optional() }),
  ),
  holders: z.array(Holder),
  unexplained: z.number().int().nullable(),
  drift: z.array(DriftEntry),
  driftCount: z.number().int(),
  verbs: AllowedVerbs,
});
export type ManagedSetDetail = z.infer<typeof ManagedSetDetail>;

/** Why a member is in a group. */
export const Owner = z.object({
  source: z.string(),
  profile: z.string().optional(),
  endpoint: z.string().optional(),
  object: z.string().optional(),
  override: z.string().optional(),
  file: z.string().optional(),
});
export type Owner = z.infer<typeof Owner>;

/** A logical member with its owners. `state` tells a member that is wanted but not there from one that is. */
export const MemberRow = z.object({
  member: z.string(),
  family: Family.nullable(),
  owners: z.array(Owner),
  since: Instant.nullable(),
  state: z.enum(['programmed', 'pending-add', 'pending-del', 'parked', 'over-capacity']),
});
export type MemberRow = z.infer<typeof MemberRow>;
