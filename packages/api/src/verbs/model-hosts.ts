import { z } from 'zod';
import { HostRow } from '../schema/model.ts';
import { Page, pageOf, sortOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Hosts. */
export const modelHosts = query(
  'model.hosts',
  'viewer',
  Page.extend({ filter: z.string().max(500).optional(), sort: sortOf(['id']) }),
  pageOf(HostRow),
);
