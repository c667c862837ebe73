import type { Member, SetName } from '@setkeeper/ipset';
import type { EngineState } from './engine-state.ts';

/**
 * Sets have come into the kernel: lists that lack them are looked at again, and what the kernel refused of them for want
 * of the set is asked at once. O(sets), and nothing if none came.
 */
export function wakeLists(state: EngineState, arrived: ReadonlySet<SetName>): void {
  if (arrived.size === 0) return;
  const names = arrived as ReadonlySet<string> as ReadonlySet<Member>;
  for (const list of state.registry.all()) {
    const { content, parking } = list.ledger;
    if (list.family !== null || content.kind !== 'known' || content.missing.isDisjointFrom(names)) continue;
    parking.hasten(state.now(), (element) => names.has(element));
    state.dirty.add(list);
  }
}
