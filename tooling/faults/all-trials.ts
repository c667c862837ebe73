import type { Trial } from './trial.ts';
import { clockJumps } from './trials/clock-jumps.ts';
import { descriptors } from './trials/descriptors.ts';
import { eventStreams } from './trials/event-streams.ts';
import { fullDisk } from './trials/full-disk.ts';
import { kills } from './trials/kills.ts';
import { malformed } from './trials/malformed.ts';
import { roleWalk } from './trials/role-walk.ts';
import { secrets } from './trials/secrets.ts';
import { slowCallers } from './trials/slow-callers.ts';
import { soak } from './trials/soak.ts';

/** Every trial, in the order in which they run. */
export const allTrials: readonly Trial[] = [
  roleWalk,
  secrets,
  kills,
  malformed,
  eventStreams,
  slowCallers,
  descriptors,
  clockJumps,
  fullDisk,
  soak,
];
