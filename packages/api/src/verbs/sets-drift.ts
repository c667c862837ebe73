import { DriftEntry } from '../schema/managed-set.ts';
import { GroupText, Page, pageOf } from '../schema/scalars.ts';
import { query } from '../verb.ts';

/** Drift history, newest first. */
export const setsDrift = query(
  'sets.drift',
  'viewer',
  Page.extend({ group: GroupText.optional() }),
  pageOf(DriftEntry),
);
