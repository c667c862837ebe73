import type { HeldChange, HeldSet } from '../guard/held-change.ts';
import type { EngineState } from './engine-state.ts';

/** How many logical members a held change would take from one of its sets, if it were released now. O(withheld). */
export function heldRemoves(state: EngineState, change: HeldChange, held: HeldSet): number {
  const set = state.registry.get(held.key);
  if (set === undefined) return 0;
  const elements = [...set.ledger.withheld].filter(([, by]) => by === change.id).map(([element]) => element);
  const members = set.desired.isPlain ? elements.length : set.desired.logicalCount(new Set(elements));
  const isGoing = held.vanishes && set.heldBy === change.id;
  return isGoing ? Math.max(held.of, members) : members;
}
