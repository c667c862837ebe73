import { compareMembers, type Member } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import { sectionLines } from '../plan/section-operations.ts';
import type { Watch } from './ledger.ts';
import type { ManagedSet } from './managed-set.ts';
import { refusalAfter } from './parking.ts';
import type { SectionException, SectionExceptions } from './section-exceptions.ts';

/** A section on its way, with what was true when it was planned. */
export interface SectionInFlight {
  readonly set: ManagedSet;
  readonly section: Section;
  readonly watch: Watch;
  /** The whole of what was desired then is in its adds. */
  readonly isWhole: boolean;
}

/** When and by what run. */
export interface RunStamp {
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Opens the books on a section that is sent now. */
export function takeInFlight(set: ManagedSet, section: Section): SectionInFlight {
  set.isInFlight = true;
  const isWhole = section.adds.length === set.desired.count + set.ledger.withheld.size;
  return { set, section, watch: set.ledger.watch(), isWhole };
}

/**
 * Enters the outcomes of a section in the ledger: what the kernel acknowledged is programmed, what it refused is parked
 * until its pause is over, what was not run stays pending. O(section) for a delta; for a whole set O(lines that were not
 * applied + what changed meanwhile), unless it had no room for all.
 */
export function enterResult(inFlight: SectionInFlight, exceptions: SectionExceptions, stamp: RunStamp): void {
  const { set, section, watch } = inFlight;
  set.ledger.unwatch(watch);
  set.isInFlight = false;
  if (exceptions.lines < sectionLines(section)) set.changedAt = stamp.at;
  if (section.how === 'delta') enterDelta(set, section, exceptions, stamp);
  else if (section.how === 'create') enterCreate(inFlight, exceptions, stamp);
  else if (section.how === 'rewrite') enterRewrite(inFlight, exceptions, stamp);
  else enterDestroy(set, exceptions, stamp);
}

function enterDelta(set: ManagedSet, section: Section, exceptions: SectionExceptions, stamp: RunStamp): void {
  if (refuseWhole(set, 'create', exceptions.at(0), stamp)) {
    if (exceptions.at(0)?.outcome === 'rejected') set.ledger.becomeUnknown(exceptions.at(0)?.message ?? 'refused');
    return;
  }
  // A refused destroy keeps its pause while the set goes on being updated.
  if (set.failure?.op !== 'destroy') set.failure = null;
  let index = 1;
  for (const member of section.dels) {
    const exception = exceptions.at(index++);
    if (exception === undefined) set.ledger.deleted(member);
    else parkIfRejected(set, 'del', member, exception, stamp);
  }
  for (const member of section.adds) {
    const exception = exceptions.at(index++);
    if (exception === undefined) set.ledger.added(member);
    else parkIfRejected(set, 'add', member, exception, stamp);
  }
}

function enterCreate(inFlight: SectionInFlight, exceptions: SectionExceptions, stamp: RunStamp): void {
  const { set, section } = inFlight;
  const createIndex = section.recreate === true ? 1 : 0;
  if (createIndex === 1) {
    if (refuseWhole(set, 'destroy', exceptions.at(0), stamp)) return;
    set.remake = null;
    set.ledger.becomeAbsent();
  }
  const create = exceptions.at(createIndex);
  if (refuseWhole(set, 'create', create, stamp)) {
    if (create?.code === 'set-exists') set.ledger.becomeUnknown(create.message);
    return;
  }
  enterWhole(inFlight, exceptions, createIndex + 1, stamp);
}

function enterRewrite(inFlight: SectionInFlight, exceptions: SectionExceptions, stamp: RunStamp): void {
  const { set, section } = inFlight;
  if (refuseWhole(set, 'create', exceptions.at(0), stamp)) return;
  const afterAdds = 1 + section.adds.length;
  if (section.createMain && refuseWhole(set, 'create', exceptions.at(afterAdds), stamp)) return;
  const swapIndex = afterAdds + (section.createMain ? 1 : 0);
  if (refuseWhole(set, 'swap', exceptions.at(swapIndex), stamp)) return;
  set.remake = null;
  enterWhole(inFlight, exceptions, 1, stamp);
}

function enterDestroy(set: ManagedSet, exceptions: SectionExceptions, stamp: RunStamp): void {
  if (refuseWhole(set, 'destroy', exceptions.at(0), stamp)) return;
  set.failure = null;
  set.remake = null;
  set.conflict = null;
  set.seen = null;
  set.ledger.becomeDestroyed();
}

/** The set now holds exactly what was acknowledged of the section's adds. */
function enterWhole(inFlight: SectionInFlight, exceptions: SectionExceptions, firstAdd: number, stamp: RunStamp): void {
  const { set, section, watch, isWhole } = inFlight;
  const { desired, ledger } = set;
  const { adds } = section;
  const isFailed = (index: number): boolean => exceptions.at(index + firstAdd) !== undefined;
  const missing = new Set<Member>();
  const extra = new Set<Member>();
  const enter = (element: Member, isHeld: boolean): void => {
    if (desired.has(element)) {
      if (!isHeld) missing.add(element);
    } else if (isHeld) extra.add(element);
  };
  if (isWhole) {
    const isHeld = (element: Member): boolean => {
      const index = indexIn(adds, element);
      return index >= 0 && !isFailed(index);
    };
    for (const index of exceptions.indexes(firstAdd, firstAdd + adds.length)) {
      const element = adds[index - firstAdd];
      if (element !== undefined) enter(element, false);
    }
    for (const element of ledger.withheld.keys()) enter(element, isHeld(element));
    for (const element of watch.touched) enter(element, isHeld(element));
  } else {
    const held = new Set(adds.filter((_, index) => !isFailed(index)));
    for (const element of desired.elements()) enter(element, held.has(element));
    for (const element of held) enter(element, true);
  }
  set.failure = null;
  set.conflict = null;
  const earlier = new Map(ledger.parking.entries());
  ledger.parking.clear();
  ledger.becomeKnown(missing, extra);
  for (const { first, last, outcome, code, message } of exceptions.ranges) {
    if (outcome !== 'rejected') continue;
    const refused = { op: 'add', code, message, run: stamp.run, at: stamp.at } as const;
    for (const member of adds.slice(Math.max(0, first - firstAdd), Math.max(0, last + 1 - firstAdd))) {
      if (missing.has(member)) ledger.parking.park(member, refusalAfter(earlier.get(member), refused));
    }
  }
}

/** Where an element is in members in canonical order, by bisection; -1: nowhere. */
function indexIn(sorted: readonly Member[], element: Member): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? element;
    const order = compareMembers(found, element);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** True if an operation that the whole section rests on was not applied. */
function refuseWhole(
  set: ManagedSet,
  op: 'create' | 'swap' | 'destroy',
  exception: SectionException | undefined,
  stamp: RunStamp,
): boolean {
  if (exception === undefined) return false;
  if (exception.outcome === 'rejected') {
    const { code, message } = exception;
    set.failure = refusalAfter(set.failure ?? undefined, { op, code, message, run: stamp.run, at: stamp.at });
  }
  return true;
}

function parkIfRejected(
  set: ManagedSet,
  op: 'add' | 'del',
  member: Member,
  exception: SectionException,
  stamp: RunStamp,
): void {
  if (exception.outcome !== 'rejected') return;
  const { parking } = set.ledger;
  const { code, message } = exception;
  parking.park(member, refusalAfter(parking.get(member), { op, code, message, run: stamp.run, at: stamp.at }));
}
