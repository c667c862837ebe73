import type { ProblemCode, Severity } from '@setkeeper/api';
import type { z } from 'zod';

/**
 * How much each problem means for enforcement. `critical`: the host does not, or soon will not, enforce what the model
 * says, or the agent cannot know. `warning`: somebody must look. `notice`: worth knowing.
 */
export const severityOf: Readonly<Record<ProblemCode, z.infer<typeof Severity>>> = {
  'source-missing': 'critical',
  'source-stale': 'warning',
  'source-fault': 'warning',
  'source-conflict': 'notice',
  'source-shrunk': 'warning',
  'change-held': 'warning',
  'on-hold': 'warning',
  'set-failed': 'critical',
  'set-unknown': 'warning',
  'header-conflict': 'critical',
  'name-collision': 'critical',
  'prefix-shared': 'notice',
  'members-parked': 'warning',
  'over-capacity': 'critical',
  'capacity-80': 'notice',
  'capacity-95': 'warning',
  drift: 'warning',
  'drift-fight': 'critical',
  'no-longer-used': 'warning',
  'used-but-not-referenced': 'notice',
  'nft-backend-set': 'warning',
  'destroy-refused': 'notice',
  leak: 'warning',
  'orphaned-reference': 'notice',
  'pin-old': 'notice',
  leftovers: 'notice',
  'kernel-unreadable': 'critical',
  'holders-unreadable': 'notice',
  environment: 'critical',
  'writer-lost': 'critical',
  'apply-waiting': 'notice',
  'no-stdbuf': 'notice',
  'store-set-aside': 'critical',
  'disk-full': 'critical',
  'history-paused': 'warning',
  'audit-paused': 'critical',
  'boot-files': 'warning',
  'clock-jump': 'notice',
  'agent-slow': 'warning',
};
