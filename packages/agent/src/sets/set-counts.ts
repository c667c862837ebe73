import { ledgerCounts } from './ledger-counts.ts';
import type { ManagedSet } from './managed-set.ts';

/** A managed set in numbers, in logical members. */
export interface SetCounts {
  readonly desired: number;
  readonly programmed: number | null;
  /** What the last header showed. */
  readonly kernel: number | null;
  readonly pendingAdds: number;
  readonly pendingDels: number;
  readonly parked: number;
  readonly overCapacity: number;
  readonly withheld: number;
  readonly drifted: number;
}

/** Counts of a set. O(1) but for lists, networks and parked members, where it is O(pending). */
export function setCounts(set: ManagedSet): SetCounts {
  const { desired, ledger } = set;
  if (isRight(set)) return countsOfRight(set);
  const counts = ledgerCounts(ledger, desired, set.maxelem);
  const { content } = ledger;
  const drifted = set.drift === null ? 0 : set.drift.missing.size + set.drift.extra.size;
  const rest = { parked: counts.parked, overCapacity: counts.overCapacity, withheld: counts.withheld, drifted };
  const entries = set.seen?.listed.entries ?? (content.kind === 'absent' ? 0 : null);
  if (content.kind !== 'known') {
    const isAbsent = content.kind === 'absent';
    const adds = isAbsent && set.isWanted ? Math.max(0, desired.members - counts.parked - counts.overCapacity) : 0;
    const kernel = set.seen === null && isAbsent ? 0 : entries;
    return {
      desired: desired.members,
      programmed: isAbsent ? 0 : null,
      kernel,
      pendingAdds: adds,
      pendingDels: 0,
      ...rest,
    };
  }
  const { missing, extra } = content;
  const missingMembers = desired.logicalCount(missing);
  const extraMembers = desired.logicalCount(extra);
  const programmed = desired.members - missingMembers + extraMembers;
  return {
    desired: desired.members,
    programmed,
    kernel: entries === null ? null : programmed + entries - (counts.programmed ?? 0),
    pendingAdds: Math.max(0, counts.pendingAdds - (missing.size - missingMembers)),
    pendingDels: Math.max(0, counts.pendingDels - (extra.size - extraMembers)),
    ...rest,
  };
}

/** Nearly every set, nearly always: nothing is pending, parked or drifted. */
function isRight({ ledger, drift }: ManagedSet): boolean {
  const { content } = ledger;
  if (content.kind !== 'known' || drift !== null || ledger.parking.size > 0) return false;
  return content.missing.size === 0 && content.extra.size === 0;
}

function countsOfRight({ desired, seen }: ManagedSet): SetCounts {
  const { members } = desired;
  const entries = seen?.listed.entries ?? null;
  return {
    desired: members,
    programmed: members,
    kernel: entries === null ? null : members + entries - desired.count,
    pendingAdds: 0,
    pendingDels: 0,
    parked: 0,
    overCapacity: 0,
    withheld: 0,
    drifted: 0,
  };
}
