import type { GroupId } from '@setkeeper/ipset';
import { type ObjectKey, objectKey } from '../../model/objects.ts';
import type { NamedReference } from '../../sets/references.ts';
import type { EngineState } from '../engine-state.ts';
import { SinceReader } from './member-since.ts';

/**
 * Who needs a group, and since when: also from before the agent started, out of the history of the documents and lists.
 * Sorted by referrer. One look into the history a referrer.
 */
export function namedReferences(state: EngineState, group: GroupId): readonly NamedReference[] {
  const reader = new SinceReader(state.ports.store.changes);
  return state.references.of(group).map(({ referrer, since }) => {
    const key = objectOf(state, referrer);
    const told = key === null ? null : reader.objectSince(key, group);
    return { referrer, since: told === null ? since : Math.min(since, Date.parse(told)) };
  });
}

/** The object that a referrer is; null for a pin. */
function objectOf(state: EngineState, referrer: string): ObjectKey | null {
  if (state.pins.has(referrer)) return null;
  const isList = referrer.startsWith(LIST) && state.registry.ofGroup(referrer as GroupId).length > 0;
  return isList ? objectKey('list', referrer.slice(LIST.length)) : objectKey('references', referrer);
}

const LIST = 'list:';
