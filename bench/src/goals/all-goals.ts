import type { Goal } from '../goal.ts';
import { p13 } from './boot-files.ts';
import { p6 } from './clean-up.ts';
import { p4 } from './first-programming.ts';
import { p11 } from './footprint.ts';
import { p7 } from './membership.ts';
import { p3 } from './one-member.ts';
import { p9 } from './read-back.ts';
import { p5 } from './rejected-lines.ts';
import { p1, p2 } from './rewrite.ts';
import { p10 } from './set-list.ts';
import { p8 } from './tag-added.ts';

/** Every goal, in the order of docs/PERFORMANCE.md. P11 measures P12 too. */
export const goals: readonly Goal[] = [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p13];
