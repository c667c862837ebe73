import type { ManagedSet as ManagedSetRow } from '@setkeeper/api';
import type { ManagedSet } from '../../sets/managed-set.ts';
import { setCounts } from '../../sets/set-counts.ts';
import { syncOf } from '../../sets/set-sync.ts';
import { blockOf } from '../block-of.ts';
import type { EngineState } from '../engine-state.ts';

/** How the kernel counts it: used by so many rules and lists, unused, or nobody can say. */
export function useOf(set: ManagedSet): ManagedSetRow['use'] {
  const references = set.kernelReferences;
  if (references === null) return 'unseen';
  return references > 0 ? 'used' : 'unused';
}

/** A managed set as people and scripts see it: separate answers, counts of logical members. */
export function setRow(state: EngineState, set: ManagedSet): ManagedSetRow {
  const counts = setCounts(set);
  const { sync, cause } = syncOf(set, counts);
  const block = blockOf(state, set);
  const error = errorOf(set);
  const readAt = set.seen?.at ?? (set.ledger.content.kind === 'absent' ? state.headers?.at : undefined);
  return {
    group: set.group,
    kind: set.kind,
    family: set.family,
    name: set.name,
    type: set.type,
    maxelem: set.maxelem,
    phase: set.life.phase,
    sync,
    ...(cause === undefined ? {} : { syncCause: cause }),
    use: useOf(set),
    usedBy: set.kernelReferences ?? 0,
    desired: counts.desired,
    programmed: counts.programmed,
    kernel: counts.kernel,
    pending: { adds: counts.pendingAdds, dels: counts.pendingDels },
    overCapacity: counts.overCapacity,
    parked: counts.parked,
    drifted: counts.drifted,
    defined: state.ports.membership.isDefined(set.group),
    references: state.references.of(set.group).map(({ referrer }) => referrer),
    kernelReferences: set.kernelReferences,
    lastRun: set.lastRun?.id ?? null,
    lastResult: set.lastRun?.result ?? 'none',
    readAt: readAt === undefined ? null : iso(readAt),
    changedAt: set.changedAt === null ? null : iso(set.changedAt),
    ...(block === null ? {} : { blocked: block.by, blockedDetail: block.detail }),
    ...(error === null ? {} : { error }),
    onHold: state.isOnHold(set.group),
    adopted: set.isAdopted,
  };
}

/** Milliseconds since 1970 as ISO-8601 in UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

function errorOf(set: ManagedSet): string | null {
  if (set.collidesWith !== null) return `${set.collidesWith} already has the kernel name ${set.name}`;
  if (set.conflict !== null) return `${set.conflict}, and it is used`;
  if (set.failure !== null) return `${set.failure.op} was refused: ${set.failure.message}`;
  const first = set.ledger.parking.entries().next().value;
  return first === undefined ? null : `${first[0]} was refused: ${first[1].message}`;
}
