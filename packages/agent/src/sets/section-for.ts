import { desiredHeader, isWritableMember, type Member, type SetHeader, type SetName } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import type { ManagedSet } from './managed-set.ts';
import { hasRoomForAll, selectDelta, selectWhole, wholeElements } from './select-change.ts';
import { type Breathe, sortInTurns } from './sort-in-turns.ts';

/** What a section is asked for. */
export interface SectionRequest {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Write the whole set again, whatever is known. */
  readonly reprogram: boolean;
  /** Room that the set gets; its own if not given. Not asked of lists. */
  readonly maxelem?: number;
  /** The whole content, if somebody has worked it out before (`wholeInTurns`). */
  readonly whole?: readonly Member[];
  /** Draws the name of a temporary set. */
  readonly temporary: () => SetName;
  /** Elements that may be sent; all if not given. Not asked where a whole set is written. */
  readonly only?: (element: Member) => boolean;
  /** For lists: whether the set that an element names is, or will be, in the kernel. */
  readonly isReady?: (element: Member) => boolean;
}

/**
 * What has to be sent to bring a set to what is desired, or null if nothing has. Whether it may be sent at all (held, on
 * hold, in conflict) is the caller's to know. Content that is known changes by delta; content that is not, changed
 * parameters, a set that outgrows its table and a forced reprogram by temporary set and swap.
 */
export function sectionFor(set: ManagedSet, request: SectionRequest): Section | null {
  const { content } = set.ledger;
  if (set.remake?.how === 'recreate') return wholeSection(set, request, { how: 'create', recreate: true });
  if (content.kind === 'absent') return wholeSection(set, request, { how: 'create', recreate: false });
  if (content.kind === 'unknown' || request.reprogram || set.remake !== null) {
    return wholeSection(set, request, { how: 'rewrite', recreate: false });
  }
  const { dels, adds } = selectDelta(set.ledger, set.desired, {
    maxelem: roomOf(set, request),
    now: request.now,
    ...(request.only === undefined ? {} : { only: request.only }),
    ...(request.isReady === undefined ? {} : { isReady: request.isReady }),
  });
  if (dels.length + adds.length === 0) return null;
  if (!dels.every(isWritableMember)) return wholeSection(set, request, { how: 'rewrite', recreate: false });
  const before = membersIn(set, content);
  const after = before + countMembers(set, adds) - countMembers(set, dels);
  return { ...frame(set), how: 'delta', header: headerOf(set, request.maxelem), dels, adds, before, after };
}

/** So many elements more make a hash table that was made for few grow several times, which takes longer than the adds. */
const OUTGROWING = 2_000;
/** By so much the table would have to grow. */
const GROWTH = 4;

/**
 * Whether a known set has so much to come that making it anew, with a table of the right size from the beginning, is
 * quicker than letting the kernel double its table again and again: 10,000 members more take a fifth of the time. What is
 * parked or withheld is never written anew for that. O(1).
 */
export function outgrowsItsTable(set: ManagedSet): boolean {
  const { ledger, desired, seen, failure } = set;
  const { content } = ledger;
  if (set.family === null || set.isHandedOver || content.kind !== 'known') return false;
  if (seen === null || failure !== null) return false;
  if (ledger.parking.size > 0 || ledger.withheld.size > 0 || desired.count > (set.maxelem ?? 0)) return false;
  const coming = content.missing.size;
  const there = desired.count - coming + content.extra.size;
  if (coming < OUTGROWING || coming < there * GROWTH) return false;
  const { hashsize } = seen.listed.header;
  return hashsize !== null && (headerOf(set).hashsize ?? 0) >= hashsize * GROWTH;
}

/** Sets of so many elements are sorted in turns. */
const LARGE = 4_000;

/** The whole content of a large set that has room for all of it, worked out in slices; undefined for any other set. */
export async function wholeInTurns(
  set: ManagedSet,
  maxelem: number | undefined,
  breathe: Breathe,
): Promise<readonly Member[] | undefined> {
  const { desired, ledger } = set;
  const room = set.maxelem === null ? null : (maxelem ?? set.maxelem);
  if (desired.count < LARGE || !hasRoomForAll(ledger, desired, room)) return undefined;
  return sortInTurns(wholeElements(ledger, desired), breathe);
}

/** Destroys a set; never preceded by a flush (KERNEL.md section 7). */
export function destroySection(set: ManagedSet): Section {
  const before = membersIn(set, set.ledger.content);
  return { ...frame(set), how: 'destroy', header: null, dels: [], adds: [], before, after: 0 };
}

/** The header that a set is created with: presized, or for one that was handed over as it was seen. */
export function headerOf(set: ManagedSet, maxelem?: number): SetHeader {
  if (set.isHandedOver && set.seen !== null) {
    const { header } = set.seen.listed;
    return maxelem === undefined ? header : { ...header, maxelem };
  }
  return desiredHeader({
    name: set.name,
    type: set.type,
    family: set.family,
    maxelem: maxelem ?? set.maxelem ?? 0,
    members: set.desired.count,
  });
}

function wholeSection(
  set: ManagedSet,
  request: SectionRequest,
  way: { readonly how: 'create' | 'rewrite'; readonly recreate: boolean },
): Section {
  const whole = request.whole ?? selectWhole(set.ledger, set.desired, roomOf(set, request));
  const { isReady } = request;
  const adds = isReady === undefined ? whole : whole.filter(isReady);
  return {
    ...frame(set),
    how: way.how,
    header: headerOf(set, request.maxelem),
    temp: way.how === 'rewrite' ? request.temporary() : null,
    createMain: way.how === 'rewrite' && set.seen === null,
    ...(way.recreate ? { recreate: true } : {}),
    dels: [],
    adds,
    before: way.recreate ? 0 : membersIn(set, set.ledger.content),
    after: countMembers(set, adds),
  };
}

/** A list has no limit, whatever is asked for. */
const roomOf = (set: ManagedSet, request: SectionRequest): number | null =>
  set.maxelem === null ? null : (request.maxelem ?? set.maxelem);

const frame = (set: ManagedSet) => ({
  group: set.group,
  family: set.family,
  set: set.name,
  temp: null,
  createMain: false,
});

function membersIn(set: ManagedSet, content: ManagedSet['ledger']['content']): number {
  if (content.kind !== 'known') return 0;
  const { desired } = set;
  return desired.members - desired.logicalCount(content.missing) + desired.logicalCount(content.extra);
}

const countMembers = (set: ManagedSet, elements: readonly Member[]): number =>
  set.desired.isPlain ? elements.length : set.desired.logicalCount(new Set(elements));
