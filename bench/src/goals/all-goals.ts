import type { Goal } from '../goal.ts';
import { p13 } from './boot-files.ts';
import { p6 } from './clean-up.ts';
import { p10Console } from './console.ts';
import { p4 } from './first-programming.ts';
import { p11 } from './footprint.ts';
import { p7 } from './membership.ts';
import { p3 } from './one-member.ts';
import { p9 } from './read-back.ts';
import { p5 } from './rejected-lines.ts';
import { p1, p2 } from './rewrite.ts';
import { s2 } from './scale-change-rate.ts';
import { s1 } from './scale-foreign-sets.ts';
import { s5 } from './scale-many-groups.ts';
import { s3 } from './scale-model-files.ts';
import { s4 } from './scale-one-group.ts';
import { p10 } from './set-list.ts';
import { p8 } from './tag-added.ts';

/** Every goal, in the order of docs/PERFORMANCE.md. P11 measures P12 too; S1 to S5 show scale. */
export const goals: readonly Goal[] = [
  p1,
  p2,
  p3,
  p4,
  p5,
  p6,
  p7,
  p8,
  p9,
  p10,
  p10Console,
  p11,
  p13,
  s1,
  s2,
  s3,
  s4,
  s5,
];
