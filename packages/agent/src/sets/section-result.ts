import { compareMembers, type Member } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import { sectionLines } from '../plan/section-operations.ts';
import type { Watch } from './ledger.ts';
import type { ManagedSet } from './managed-set.ts';
import { refusalAfter } from './parking.ts';

/** An operation of a section that was not applied, by its index in the section. */
export interface SectionException {
  readonly index: number;
  readonly outcome: 'rejected' | 'skipped' | 'not-run';
  readonly code: string;
  readonly message: string;
}

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
 * until its pause is over, what was not run stays pending. `exceptions` are those of this section, by index. O(section)
 * for a delta; for a whole set O(exceptions + what changed meanwhile), unless it had no room for all.
 */
export function enterResult(
  inFlight: SectionInFlight,
  exceptions: ReadonlyMap<number, SectionException>,
  stamp: RunStamp,
): void {
  const { set, section, watch } = inFlight;
  set.ledger.unwatch(watch);
  set.isInFlight = false;
  if (exceptions.size < sectionLines(section)) set.changedAt = stamp.at;
  if (section.how === 'delta') enterDelta(set, section, exceptions, stamp);
  else if (section.how === 'create') enterCreate(inFlight, exceptions, stamp);
  else if (section.how === 'rewrite') enterRewrite(inFlight, exceptions, stamp);
  else enterDestroy(set, exceptions, stamp);
}

function enterDelta(
  set: ManagedSet,
  section: Section,
  exceptions: ReadonlyMap<number, SectionException>,
  stamp: RunStamp,
): void {
  if (refuseWhole(set, 'create', exceptions.get(0), stamp)) {
    if (exceptions.get(0)?.outcome === 'rejected') set.ledger.becomeUnknown(exceptions.get(0)?.message ?? 'refused');
    return;
  }
  // A refused destroy keeps its pause while the set goes on being updated.
  if (set.failure?.op !== 'destroy') set.failure = null;
  let index = 1;
  for (const member of section.dels) {
    const exception = exceptions.get(index++);
    if (exception === undefined) set.ledger.deleted(member);
    else parkIfRejected(set, 'del', member, exception, stamp);
  }
  for (const member of section.adds) {
    const exception = exceptions.get(index++);
    if (exception === undefined) set.ledger.added(member);
    else parkIfRejected(set, 'add', member, exception, stamp);
  }
}

function enterCreate(
  inFlight: SectionInFlight,
  exceptions: ReadonlyMap<number, SectionException>,
  stamp: RunStamp,
): void {
  const { set, section } = inFlight;
  const createIndex = section.recreate === true ? 1 : 0;
  if (createIndex === 1) {
    if (refuseWhole(set, 'destroy', exceptions.get(0), stamp)) return;
    set.remake = null;
    set.ledger.becomeAbsent();
  }
  const create = exceptions.get(createIndex);
  if (refuseWhole(set, 'create', create, stamp)) {
    if (create?.code === 'set-exists') set.ledger.becomeUnknown(create.message);
    return;
  }
  enterWhole(inFlight, exceptions, createIndex + 1, stamp);
}

function enterRewrite(
  inFlight: SectionInFlight,
  exceptions: ReadonlyMap<number, SectionException>,
  stamp: RunStamp,
): void {
  const { set, section } = inFlight;
  if (refuseWhole(set, 'create', exceptions.get(0), stamp)) return;
  const afterAdds = 1 + section.adds.length;
  if (section.createMain && refuseWhole(set, 'create', exceptions.get(afterAdds), stamp)) return;
  const swapIndex = afterAdds + (section.createMain ? 1 : 0);
  if (refuseWhole(set, 'swap', exceptions.get(swapIndex), stamp)) return;
  set.remake = null;
  enterWhole(inFlight, exceptions, 1, stamp);
}

function enterDestroy(set: ManagedSet, exceptions: ReadonlyMap<number, SectionException>, stamp: RunStamp): void {
  if (refuseWhole(set, 'destroy', exceptions.get(0), stamp)) return;
  set.failure = null;
  set.remake = null;
  set.conflict = null;
  set.seen = null;
  set.ledger.becomeDestroyed();
}

/** The set now holds exactly what was acknowledged of the section's adds. */
function enterWhole(
  inFlight: SectionInFlight,
  exceptions: ReadonlyMap<number, SectionException>,
  firstAdd: number,
  stamp: RunStamp,
): void {
  const { set, section, watch, isWhole } = inFlight;
  const { desired, ledger } = set;
  const failed = new Map<Member, SectionException>();
  for (const [index, exception] of exceptions) {
    const member = section.adds[index - firstAdd];
    if (member !== undefined) failed.set(member, exception);
  }
  const missing = new Set<Member>();
  const extra = new Set<Member>();
  const enter = (element: Member, isHeld: boolean): void => {
    if (desired.has(element)) {
      if (!isHeld) missing.add(element);
    } else if (isHeld) extra.add(element);
  };
  if (isWhole) {
    for (const element of failed.keys()) enter(element, false);
    for (const element of ledger.withheld.keys()) enter(element, !failed.has(element));
    for (const element of watch.touched) enter(element, contains(section.adds, element) && !failed.has(element));
  } else {
    const sent = new Set(section.adds);
    for (const element of desired.elements()) enter(element, sent.has(element) && !failed.has(element));
    for (const element of sent) enter(element, !failed.has(element));
  }
  set.failure = null;
  set.conflict = null;
  const earlier = new Map(ledger.parking.entries());
  ledger.parking.clear();
  ledger.becomeKnown(missing, extra);
  for (const [member, { outcome, code, message }] of failed) {
    if (outcome !== 'rejected' || !missing.has(member)) continue;
    const refused = { op: 'add', code, message, run: stamp.run, at: stamp.at } as const;
    ledger.parking.park(member, refusalAfter(earlier.get(member), refused));
  }
}

/** Binary search in members in canonical order. */
function contains(sorted: readonly Member[], element: Member): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? element;
    const order = compareMembers(found, element);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
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
