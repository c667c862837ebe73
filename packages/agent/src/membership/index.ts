/** The index by itself, for those who measure it. */
export type { ObjectChange } from '../model/change.ts';
export { objectKey } from '../model/objects.ts';
export { createMembership } from './create-membership.ts';
