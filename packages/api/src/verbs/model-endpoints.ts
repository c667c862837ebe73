import { z } from 'zod';
import { EndpointRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Endpoints with their groups; `id`: that one alone; `tag` and `port`: those of a tag that name such a port. */
export const modelEndpoints = query(
  'model.endpoints',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['id', 'source']),
    profile: z.string().max(300).optional(),
    tag: z.string().max(300).optional(),
    port: z.string().max(63).optional(),
    id: z.string().max(253).optional(),
  }),
  pageOf(EndpointRow),
);
