import { z } from 'zod';
import { ManagedSetDetail } from '../schema/managed-set.ts';
import { Family, GroupText } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** A group's sets whole, one a family. */
export const setsGet = query(
  'sets.get',
  'viewer',
  z.object({ group: GroupText, family: Family.nullish() }),
  z.array(ManagedSetDetail),
);
