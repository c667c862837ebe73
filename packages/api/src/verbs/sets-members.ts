import { z } from 'zod';
import { MemberRow } from '../schema/managed-set.ts';
import { Family, GroupText, Page, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Members by address, IPv4 first; cost O(page) after the first page of a set. */
export const setsMembers = query(
  'sets.members',
  'viewer',
  Page.extend({
    group: GroupText,
    family: Family.optional(),
    filter: z.string().max(500).optional(),
    /** `all`: what is wanted, and what is in the kernel and is to leave, or is kept there by a held change. Not given: what is wanted. */
    state: z.enum(['all', 'programmed', 'pending-add', 'pending-del', 'parked', 'over-capacity']).optional(),
    owners: z.boolean().default(true),
    endpoint: z.string().max(300).optional(),
  }),
  pageOf(MemberRow),
);
