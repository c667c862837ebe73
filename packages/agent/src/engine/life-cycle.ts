import type { GroupId, Member } from '@setkeeper/ipset';
import type { ChangeCause } from '../model/change.ts';
import { NOT_READ } from '../sets/ledger.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';
import { releaseHeldIfEmpty } from './held-rules.ts';
import { clearProblems } from './set-problems.ts';

/**
 * Looks again at whether a group's sets are wanted in the kernel, and follows through to the members of a list, which a
 * list references. Makes and forgets rows of sets; sends nothing. O(1) but for lists.
 */
export function reviewGroups(state: EngineState, groups: Iterable<GroupId>, cause: ChangeCause): void {
  const queue = [...groups];
  for (let group = queue.pop(); group !== undefined; group = queue.pop()) {
    const isListed = state.listed.has(group);
    const isWanted = state.references.isReferenced(group) || (isListed && !state.programsReferenced);
    const sets = isWanted || isListed ? state.registry.enter(group) : state.registry.ofGroup(group);
    for (const set of sets) {
      if (isWanted && !set.isWanted) want(state, set);
      else if (!isWanted && set.isWanted) unwant(state, set, cause);
    }
    if (group.startsWith('list:')) queue.push(...reviewList(state, group, isWanted, cause.at));
    if (!isWanted && !isListed) forgetIfIdle(state, group);
  }
}

/** Forgets a group's sets once nothing of them is wanted, in the model or in the kernel. */
export function forgetIfIdle(state: EngineState, group: GroupId): void {
  if (state.references.isReferenced(group) || state.listed.has(group)) return;
  const sets = state.registry.ofGroup(group);
  if (!sets.every((set) => set.life.phase === 'waiting' && !set.isInFlight)) return;
  for (const set of sets) {
    state.dirty.delete(set);
    state.paused.delete(set);
    state.toRead.delete(set);
    clearProblems(state, set);
  }
  state.registry.leave(group);
}

/** After a set gave its name back: another group may have waited for it. O(those who wait for the name). */
export function reclaim(state: EngineState, freed: ManagedSet): void {
  for (const set of state.registry.refusedFor(freed.name)) if (set !== freed && set.isWanted) want(state, set);
}

function reviewList(state: EngineState, group: GroupId, isWanted: boolean, at: number): readonly GroupId[] {
  const members = isWanted ? [...state.ports.membership.members(group, null)] : [];
  return state.references.set(group, members.map(groupOfMember), at);
}

/** A list's logical members are group ids. */
const groupOfMember = (member: Member): GroupId => member as string as GroupId;

function want(state: EngineState, set: ManagedSet): void {
  set.isWanted = true;
  state.unjudged.isWantedAgain(set.key);
  state.dirty.add(set);
  clearHold(state, set);
  if (!state.registry.claim(set)) return;
  if (set.life.phase === 'stopping') set.life = { phase: 'live', since: state.now() };
  if (set.life.phase !== 'waiting') return;
  set.life = { phase: 'starting' };
  if (!state.isAdopted) return;
  // Whoever had the name in the meantime, the kernel is asked before anything is written.
  set.ledger.becomeUnknown(NOT_READ);
  state.toRead.add(set);
}

/** A held end of the set is taken back. */
function clearHold(state: EngineState, set: ManagedSet): void {
  const { heldBy } = set;
  if (heldBy === null || state.held.get(heldBy)?.kind === 'hand-over') return;
  set.heldBy = null;
  releaseHeldIfEmpty(state, heldBy);
}

function unwant(state: EngineState, set: ManagedSet, cause: ChangeCause): void {
  set.isWanted = false;
  if (set.collidesWith !== null || (set.life.phase === 'starting' && !set.isInKernel && !set.isInFlight)) {
    discard(state, set);
    return;
  }
  state.unjudged.of(cause).unwanted.add(set.key);
  state.dirty.add(set);
}

/** Nothing of the set is in the kernel: it waits again, without any kernel work. */
export function discard(state: EngineState, set: ManagedSet): void {
  set.life = { phase: 'waiting' };
  set.failure = null;
  set.conflict = null;
  set.remake = null;
  state.registry.unclaim(set);
  state.dirty.delete(set);
  state.paused.delete(set);
  state.toRead.delete(set);
  clearProblems(state, set);
  reclaim(state, set);
}
