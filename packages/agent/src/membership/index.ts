/** The index by itself, for those who measure it: the one that agents run, and its oracle. */
export type { ObjectChange } from '../model/change.ts';
export { objectKey } from '../model/objects.ts';
export { createMembership } from './create-membership.ts';
export type { Membership } from './membership.ts';
export { NaiveMembership } from './naive-membership.ts';
