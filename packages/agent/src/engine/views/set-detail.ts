import type { Caller, Holder, ManagedSetDetail } from '@setkeeper/api';
import { type Member, sortMembers } from '@setkeeper/ipset';
import { explainedCount, type HolderReading, holdersOf } from '../../holders/holder-reading.ts';
import type { ManagedSet } from '../../sets/managed-set.ts';
import type { EngineState } from '../engine-state.ts';
import { allowedVerbs } from './allowed-verbs.ts';
import { memberStates } from './member-state.ts';
import { namedReferences } from './named-references.ts';
import { iso, setRow } from './set-row.ts';

/** Lists in a detail are cut here; `sets.members` pages all. */
const LISTED_MAX = 1_000;
const DRIFT_MAX = 20;

/** A set whole: its row and what stands behind each number. O(pending), and sorting it. */
export function setDetail(
  state: EngineState,
  set: ManagedSet,
  caller: Caller,
  holders: HolderReading | null,
): ManagedSetDetail {
  const row = setRow(state, set);
  const states = memberStates(set);
  const drift = state.ports.store.drift.list({ group: set.group, limit: DRIFT_MAX });
  const found: readonly Holder[] = holdersOf(holders, set.name);
  const references = set.kernelReferences;
  return {
    ...row,
    header: set.seen === null ? null : Object.fromEntries(set.seen.listed.header.raw),
    pendingAdds: first(states.pendingAdds),
    pendingDels: first(states.pendingDels),
    overCapacityMembers: first(states.overCapacity),
    parkedMembers: parkedMembers(set),
    referenceDetails: namedReferences(state, set.group).map(({ referrer, since }) => {
      const pin = state.pins.get(referrer);
      return { referrer, since: iso(since), ...(pin === undefined ? {} : { by: pin.by, reason: pin.reason }) };
    }),
    holders: [...found],
    unexplained:
      references === null || holders === null ? null : Math.max(0, references - explainedCount(holders, set.name)),
    drift: drift.items.filter(({ family }) => family === set.family),
    driftCount: drift.total,
    verbs: allowedVerbs(caller, row),
  };
}

function parkedMembers(set: ManagedSet): ManagedSetDetail['parkedMembers'] {
  const parked = [...set.ledger.parking.entries()].map(([element, refusal]) => ({
    member: set.desired.logical(element) as string,
    refusal,
  }));
  if (set.failure !== null) parked.unshift({ member: set.name, refusal: set.failure });
  return parked.slice(0, LISTED_MAX).map(({ member, refusal }) => ({
    member,
    op: refusal.op,
    code: refusal.code,
    message: refusal.message,
    since: iso(refusal.since),
    attempts: refusal.attempts,
    retryAt: iso(refusal.retryAt),
    run: refusal.run,
  }));
}

/** Sorted only where all are shown: a million pending members need no order to show a thousand. */
function first(members: Iterable<Member>): string[] {
  const taken: Member[] = [];
  for (const member of members) {
    taken.push(member);
    if (taken.length >= LISTED_MAX) break;
  }
  return sortMembers(taken);
}
