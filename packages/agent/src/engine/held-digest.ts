import { createHash } from 'node:crypto';
import { type Member, sortMembers } from '@setkeeper/ipset';
import type { HeldChange } from '../guard/held-change.ts';
import type { EngineState } from './engine-state.ts';

/** The elements that a change holds in one set, in ascending canonical order. O(withheld), and sorting. */
export function heldElements(
  state: EngineState,
  change: HeldChange,
  key: HeldChange['sets'][number]['key'],
): readonly Member[] {
  const withheld = state.registry.get(key)?.ledger.withheld ?? new Map<Member, string>();
  return sortMembers([...withheld].filter(([, id]) => id === change.id).map(([element]) => element));
}

/** SHA-256 over exactly what a release would let through: sets and elements. O(elements), about 1 s for a million. */
export function heldDigest(state: EngineState, change: HeldChange): string {
  const hash = createHash('sha256').update(`${change.id}\n${change.kind}\n`);
  for (const { key, vanishes } of [...change.sets].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const isGoing = vanishes && state.registry.get(key)?.heldBy === change.id;
    hash.update(`${key}\n${isGoing}\n${heldElements(state, change, key).join('\n')}\n`);
  }
  return hash.digest('hex');
}
