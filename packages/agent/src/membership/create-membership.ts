import { IndexedMembership } from './indexed-membership.ts';
import type { Membership } from './membership.ts';
import type { MembershipOptions } from './membership-options.ts';

/** The membership that an agent runs: empty, of both families. */
export const createMembership = (options: MembershipOptions = {}): Membership => new IndexedMembership(options);
