import type { Member } from '@setkeeper/ipset';
import type { DesiredElements } from './desired-elements.ts';
import { type Ledger, otherFlag } from './ledger.ts';

/** What a ledger comes to, in kernel elements: pending = desired − programmed − parked − over capacity, exactly. */
export interface LedgerCounts {
  /** Null while unknown. */
  readonly programmed: number | null;
  readonly pendingAdds: number;
  /** Removals that wait for an operator are pending too. */
  readonly pendingDels: number;
  readonly parked: number;
  readonly overCapacity: number;
  readonly withheld: number;
}

/** `maxelem` null: the set has no limit (`list:set`). O(parked), and for networks O(extra). */
export function ledgerCounts(ledger: Ledger, desired: DesiredElements, maxelem: number | null): LedgerCounts {
  const { content, parking } = ledger;
  const none = { pendingAdds: 0, pendingDels: 0, parked: parking.size, overCapacity: 0, withheld: 0 };
  if (content.kind === 'unknown') return { ...none, programmed: null, withheld: ledger.withheld.size };
  if (content.kind === 'absent') {
    const wanted = desired.count - parking.size;
    const overCapacity = maxelem === null ? 0 : Math.max(0, wanted - maxelem);
    return { ...none, programmed: 0, pendingAdds: wanted - overCapacity, overCapacity };
  }
  const { missing, extra } = content;
  let parkedDels = 0;
  for (const [, { op }] of parking.entries()) if (op === 'del') parkedDels++;
  const turned = desired.hasFlags ? turnedAround(missing, extra) : 0;
  const pendingDels = extra.size - parkedDels - turned;
  const wanted = missing.size - (parking.size - parkedDels);
  const programmed = desired.count - missing.size + extra.size;
  const leaving = pendingDels - ledger.withheld.size;
  const room = maxelem === null ? Number.POSITIVE_INFINITY : Math.max(0, maxelem - (programmed - leaving));
  const overCapacity = Math.max(0, wanted - turned - room);
  return {
    programmed,
    pendingAdds: wanted - overCapacity,
    pendingDels,
    parked: parking.size,
    overCapacity,
    withheld: ledger.withheld.size,
  };
}

/** How many networks only turn their flag: one add, no del, no room. */
function turnedAround(missing: ReadonlySet<Member>, extra: ReadonlySet<Member>): number {
  const [fewer, more] = missing.size < extra.size ? [missing, extra] : [extra, missing];
  let turned = 0;
  for (const element of fewer) if (more.has(otherFlag(element))) turned++;
  return turned;
}
