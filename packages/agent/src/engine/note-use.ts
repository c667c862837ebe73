import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';
import { mayEnd } from './pending-sections.ts';
import { reviewProblems, setTitle } from './set-problems.ts';

/**
 * After a header reading: which sets are used, which are no longer, and which that nothing wants are free to end. A live
 * set that lost its last rule is right and enforces nothing: that is a problem of its own. O(sets).
 */
export function noteUse(state: EngineState): void {
  const lists = ownLists(state);
  for (const set of state.registry.all()) {
    if (set.seen === null) continue;
    noteUseOf(state, set, lists.get(set.name) ?? 0);
    if (set.isWanted) continue;
    reviewProblems(state, set);
    if (set.isUnused && mayEnd(state, set) && set.failure === null) state.dirty.add(set);
  }
}

/** How many of our lists hold each set: what the model itself takes out of a list is no loss of use. */
function ownLists(state: EngineState): ReadonlyMap<string, number> {
  const lists = new Map<string, number>();
  for (const { family, ledger, desired } of state.registry.all()) {
    if (family !== null || ledger.content.kind !== 'known') continue;
    for (const name of desired.elements()) lists.set(name, (lists.get(name) ?? 0) + 1);
  }
  return lists;
}

function noteUseOf(state: EngineState, set: ManagedSet, lists: number): void {
  const references = set.kernelReferences;
  if (references === null) return;
  if (references > lists) {
    set.wasUsed = true;
    if (!set.isNoLongerUsed) return;
    set.isNoLongerUsed = false;
    state.ports.problems.clear('no-longer-used', setTitle(set));
    return;
  }
  if (references > 0 || !set.wasUsed || set.isNoLongerUsed || !set.isWanted || set.life.phase !== 'live') return;
  set.isNoLongerUsed = true;
  state.ports.problems.raise({
    code: 'no-longer-used',
    subject: setTitle(set),
    message: `No rule and no list uses ${set.name} any more.`,
    consequence: 'Its content is right, but it enforces nothing.',
    remedy: 'Load the rules that name it again; a firewall that was reloaded may have lost them.',
  });
}
