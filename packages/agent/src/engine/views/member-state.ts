import type { MemberRow } from '@setkeeper/api';
import type { Member } from '@setkeeper/ipset';
import { ledgerCounts } from '../../sets/ledger-counts.ts';
import type { ManagedSet } from '../../sets/managed-set.ts';
import { selectDelta, selectWhole } from '../../sets/select-change.ts';

/** Where a set's members are, on the way to the kernel or in it. In logical members. */
export interface MemberStates {
  /** The state of a member that is wanted. */
  of(member: Member): MemberRow['state'];
  readonly pendingAdds: Iterable<Member>;
  readonly pendingDels: Iterable<Member>;
  readonly overCapacity: Iterable<Member>;
}

/** Works out the states of a set's members once. O(pending), and O(set) where it is not in the kernel and has no room for all. */
export function memberStates(set: ManagedSet): MemberStates {
  const { ledger, desired, maxelem } = set;
  const { content, parking } = ledger;
  const logical = (elements: Iterable<Member>): ReadonlySet<Member> => {
    const members = new Set<Member>();
    for (const element of elements) members.add(desired.logical(element));
    return members;
  };
  const parked = logical(parkedAdds(set));
  if (content.kind !== 'known') {
    const { overCapacity } = ledgerCounts(ledger, desired, maxelem);
    const fitting = overCapacity === 0 ? null : logical(selectWhole(ledger, desired, maxelem));
    const isOver = (member: Member): boolean => fitting !== null && !fitting.has(member);
    return {
      of: (member) => (parked.has(member) ? 'parked' : isOver(member) ? 'over-capacity' : 'pending-add'),
      pendingAdds: content.kind === 'absent' && set.isWanted ? (fitting ?? logical(desired.elements())) : [],
      pendingDels: [],
      overCapacity: fitting === null ? [] : logical(desired.elements()).difference(fitting),
    };
  }
  const missing = logical(content.missing);
  const { overCapacity } = ledgerCounts(ledger, desired, maxelem);
  const sendable =
    overCapacity === 0 ? null : logical(selectDelta(ledger, desired, { maxelem, now: 0 }).adds).difference(parked);
  const of = (member: Member): MemberRow['state'] => {
    if (!missing.has(member)) return 'programmed';
    if (parked.has(member)) return 'parked';
    return sendable === null || sendable.has(member) ? 'pending-add' : 'over-capacity';
  };
  const dels = [...content.extra].filter((element) => parking.get(element) === undefined);
  return {
    of,
    pendingAdds: missing
      .difference(parked)
      .values()
      .filter((member) => of(member) === 'pending-add'),
    pendingDels: logical(dels),
    overCapacity: sendable === null ? [] : missing.difference(parked).difference(sendable),
  };
}

function* parkedAdds(set: ManagedSet): Iterable<Member> {
  for (const [element, { op }] of set.ledger.parking.entries()) if (op === 'add') yield element;
}
