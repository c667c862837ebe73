import { z } from 'zod';
import { Instant } from './scalars.ts';

/** The closed list of problem codes; each has a section in docs/errors.md. */
export const ProblemCode = z.enum([
  'source-missing',
  'source-stale',
  'source-fault',
  'source-conflict',
  'source-shrunk',
  'change-held',
  'on-hold',
  'set-failed',
  'set-unknown',
  'header-conflict',
  'name-collision',
  'prefix-shared',
  'members-parked',
  'over-capacity',
  'capacity-80',
  'capacity-95',
  'drift',
  'drift-fight',
  'no-longer-used',
  'used-but-not-referenced',
  'nft-backend-set',
  'destroy-refused',
  'leak',
  'orphaned-reference',
  'pin-old',
  'leftovers',
  'kernel-unreadable',
  'holders-unreadable',
  'environment',
  'writer-lost',
  'apply-waiting',
  'no-stdbuf',
  'store-set-aside',
  'disk-full',
  'history-paused',
  'audit-paused',
  'boot-files',
  'clock-jump',
  'agent-slow',
]);
export type ProblemCode = z.infer<typeof ProblemCode>;

/** How much a problem means for enforcement. */
export const Severity = z.enum(['critical', 'warning', 'notice']);

/** Something an operator should know: stable code, the thing, what it means, what to do. */
export const Problem = z.object({
  code: ProblemCode,
  severity: Severity,
  subject: z.string(),
  message: z.string(),
  since: Instant,
  remedy: z.string(),
  consequence: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;
