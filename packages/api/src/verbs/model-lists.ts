import { z } from 'zod';
import { ListRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Lists; `id`: that one alone. */
export const modelLists = query(
  'model.lists',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['id']),
    id: z.string().max(253).optional(),
  }),
  pageOf(ListRow),
);
