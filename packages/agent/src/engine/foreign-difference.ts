import type { Member } from '@setkeeper/ipset';
import type { Believed } from '../sets/ledger.ts';
import type { ReadElements } from './content-reader.ts';

/** Elements that are not as they were programmed. */
export interface Difference {
  readonly missing: ReadonlySet<Member>;
  readonly extra: ReadonlySet<Member>;
}

/** What was known of a set before it was read; `doubted` elements of a run that broke off may be either way. */
type KnownBefore = Pick<Believed, 'missing' | 'extra'> & Partial<Believed>;

/**
 * What a reading found that we did not do: elements that were programmed and are gone, and elements that are there and
 * were not. To be asked before the ledger is replaced by the reading. O(missing + extra).
 */
export function foreignDifference(before: KnownBefore, { missing, extra, touched }: ReadElements): Difference {
  const isOurs = (element: Member): boolean => touched.has(element) || before.doubted?.has(element) === true;
  const foreign = (read: ReadonlySet<Member>, was: ReadonlySet<Member>): ReadonlySet<Member> =>
    new Set([...read].filter((element) => !was.has(element) && !isOurs(element)));
  return { missing: foreign(missing, before.missing), extra: foreign(extra, before.extra) };
}

export const isNone = ({ missing, extra }: Difference): boolean => missing.size + extra.size === 0;

/** What two readings agree on: one of a set that somebody changes meanwhile can be off by some elements (KERNEL.md section 4). */
export const confirmed = (first: Difference, second: Difference): Difference => ({
  missing: second.missing.intersection(first.missing),
  extra: second.extra.intersection(first.extra),
});
