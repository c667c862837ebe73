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
  if (maxelem === null || hasRoomForAll(ledger, desired, maxelem)) return sortMembers(wholeElements(ledger, desired));
  const kept: Member[] = [...withheld.keys()];
  const fresh: Member[] = [];
  for (const element of freeElements(ledger, desired)) {
    const isKept = content.kind === 'known' && !content.missing.has(element);
    (isKept ? kept : fresh).push(element);
  }
  const room = Math.max(0, maxelem - kept.length);
  return sortMembers([...sortMembers(kept).slice(0, maxelem), ...sortMembers(fresh).slice(0, room)]);
}

/** Whether nothing of a whole set has to stay out. O(1). */
export const hasRoomForAll = ({ withheld }: Ledger, desired: DesiredElements, maxelem: number | null): boolean =>
  maxelem === null || desired.count + withheld.size <= maxelem;

/** All of a set that has room for it, in no order: what is desired, and what is withheld. Lazy. */
export const wholeElements = (ledger: Ledger, desired: DesiredElements): Iterable<Member> =>
  ledger.withheld.size === 0 ? desired.elements() : withWithheld(ledger, desired);

function* withWithheld(ledger: Ledger, desired: DesiredElements): Generator<Member, void, undefined> {
  yield* freeElements(ledger, desired);
  yield* ledger.withheld.keys();
}

/** What is desired, but for elements that stand with the other flag because that is withheld. */
function* freeElements({ withheld }: Ledger, desired: DesiredElements): Generator<Member, void, undefined> {
  const isAllFree = withheld.size === 0 || !desired.hasFlags;
  for (const element of desired.elements()) if (isAllFree || !withheld.has(otherFlag(element))) yield element;
}
