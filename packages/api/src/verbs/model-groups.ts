import { z } from 'zod';
import { GroupKind } from '../schema/managed-set.ts';
import { GroupRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Groups of the model, referenced or not. */
export const modelGroups = query(
  'model.groups',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['id', 'kind', 'endpoints']),
    kind: GroupKind.optional(),
  }),
  pageOf(GroupRow),
);
