import { type Member, sortMembers } from '@setkeeper/ipset';
import type { DesiredElements } from './desired-elements.ts';
import { type Ledger, otherFlag } from './ledger.ts';

/** What bounds a selection. */
export interface SelectionBounds {
  /** Null: no limit. */
  readonly maxelem: number | null;
  /** Milliseconds since 1970: what is parked until later stays out. */
  readonly now: number;
  /** Elements that may be sent; all if not given. */
  readonly only?: (element: Member) => boolean;
  /** Elements that may be added; all if not given. */
  readonly isReady?: (element: Member) => boolean;
}

/** Dels and adds of one delta, each in ascending canonical order. */
export interface SelectedChange {
  readonly dels: readonly Member[];
  readonly adds: readonly Member[];
}

const NOTHING: SelectedChange = { dels: [], adds: [] };

/**
 * What may be sent of a known set's pending change. Withheld elements stay, and so does a network whose exception would
 * take one of them out; a turned flag is one add and no del; adds fill the free places in ascending order and displace
 * nothing. O(pending), and sorting.
 */
export function selectDelta(ledger: Ledger, desired: DesiredElements, bounds: SelectionBounds): SelectedChange {
  const { content, parking, withheld } = ledger;
  if (content.kind !== 'known') return NOTHING;
  const { missing, extra } = content;
  const may = (element: Member): boolean => parking.isDue(element, bounds.now) && (bounds.only?.(element) ?? true);
  const turned: Member[] = [];
  const fresh: Member[] = [];
  for (const element of missing) {
    if (!may(element) || bounds.isReady?.(element) === false) continue;
    const other = desired.hasFlags && extra.size > 0 ? otherFlag(element) : null;
    if (other === null || !extra.has(other)) fresh.push(element);
    else if (!withheld.has(other)) turned.push(element);
  }
  const turnedKeys = new Set(turned.map(otherFlag));
  const dels: Member[] = [];
  for (const element of extra) {
    if (!withheld.has(element) && !turnedKeys.has(element) && may(element)) dels.push(element);
  }
  const programmed = desired.count - missing.size + extra.size;
  const room = bounds.maxelem === null ? fresh.length : Math.max(0, bounds.maxelem - (programmed - dels.length));
  const filling = fresh.length <= room ? fresh : sortMembers(fresh).slice(0, room);
  return { dels: sortMembers(dels), adds: sortMembers(turned.length === 0 ? filling : [...turned, ...filling]) };
}

/**
 * The whole content of a set that is created or rewritten: what is programmed and still desired stays before anything
 * new, then free places are filled in ascending order. What is withheld is kept. Parked elements are tried again: the
 * set is a new one. O(set log set).
 */
export function selectWhole(ledger: Ledger, desired: DesiredElements, maxelem: number | null): readonly Member[] {
  const { content, withheld } = ledger;
  const isFree = (element: Member): boolean => !desired.hasFlags || !withheld.has(otherFlag(element));
  const needed = desired.count + withheld.size;
  if (maxelem === null || needed <= maxelem) {
    if (withheld.size === 0) return sortMembers(desired.elements());
    return sortMembers([...[...desired.elements()].filter(isFree), ...withheld.keys()]);
  }
  const kept: Member[] = [...withheld.keys()];
  const fresh: Member[] = [];
  for (const element of desired.elements()) {
    if (!isFree(element)) continue;
    const isKept = content.kind === 'known' && !content.missing.has(element);
    (isKept ? kept : fresh).push(element);
  }
  const room = Math.max(0, maxelem - kept.length);
  return sortMembers([...sortMembers(kept).slice(0, maxelem), ...sortMembers(fresh).slice(0, room)]);
}
