import { z } from 'zod';
import { GroupKind, ManagedSet } from '../schema/managed-set.ts';
import { Family, Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Managed sets. `filter` is free text with `tag:`, `state:`, `family:`, `member:`, `ref:` terms; `state` any value of DESIGN section 3. */
export const setsList = query(
  'sets.list',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf([
      'group',
      'name',
      'type',
      'phase',
      'sync',
      'use',
      'desired',
      'programmed',
      'kernel',
      'pending',
      'parked',
      'overCapacity',
      'references',
      'changedAt',
    ]),
    state: z.string().max(40).optional(),
    kind: GroupKind.optional(),
    family: Family.optional(),
  }),
  pageOf(ManagedSet),
);
