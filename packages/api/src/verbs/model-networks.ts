import { z } from 'zod';
import { NetworkRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Networks; `id`: that one alone. */
export const modelNetworks = query(
  'model.networks',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['id', 'nets']),
    id: z.string().max(253).optional(),
  }),
  pageOf(NetworkRow),
);
