import { z } from 'zod';
import { ProfileRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Profiles with their tags; `id`: that one alone. */
export const modelProfiles = query(
  'model.profiles',
  'viewer',
  Page.extend({
    filter: z.string().max(500).optional(),
    sort: sortOf(['id', 'endpoints']),
    tag: z.string().max(300).optional(),
    id: z.string().max(253).optional(),
  }),
  pageOf(ProfileRow),
);
