import { parseGroupId, type SetName, setTypeOf } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { type SetKey, setKey } from '../sets/set-key.ts';
import type { EngineState, HeaderReading } from './engine-state.ts';
import { hold } from './held-rules.ts';
import type { EnginePorts } from './ports.ts';

const RELEASED_FACTS = 'handed-over';

/**
 * Exact names of foreign sets that `sets.adopt` hands over, by the managed set that each is from now on. The family is the
 * kernel set's own; a set that is not there yet is of the first configured family.
 */
export function handedOverSets(ports: EnginePorts, headers: HeaderReading): ReadonlyMap<SetKey, SetName> {
  const handedOver = new Map<SetKey, SetName>();
  const { adopt, families } = ports.config.sets;
  for (const [name, groupText] of Object.entries(adopt)) {
    const group = parseGroupId(groupText);
    if (!group.ok) continue;
    const listed = headers.byName.get(name as SetName);
    const own = setTypeOf(group.id) === 'list:set' ? null : (listed?.header.family ?? families[0] ?? 'inet');
    handedOver.set(setKey(group.id, own), name as SetName);
  }
  return handedOver;
}

/** The first change of a set that was handed over waits, additions too, until an operator releases it once. */
export function holdHandOvers(state: EngineState): void {
  for (const set of state.dirty) if (waitsForRelease(state, set)) holdHandOver(state, set);
}

/** From now on the set is like any other of ours, but that it is never destroyed. */
export function rememberHandOver(state: EngineState, set: ManagedSet): void {
  state.ports.store.facts.put(RELEASED_FACTS, set.name, { at: state.now() });
  state.releasedHandOvers.add(set.name);
}

/** Names of handed-over sets that were released before. */
export function releasedHandOvers(ports: EnginePorts): readonly SetName[] {
  return ports.store.facts.list(RELEASED_FACTS).map(({ id }) => id as SetName);
}

function waitsForRelease(state: EngineState, set: ManagedSet): boolean {
  if (!set.isHandedOver || set.heldBy !== null || state.releasedHandOvers.has(set.name)) return false;
  if (state.toRead.has(set) || set.conflict !== null || !set.isWanted) return false;
  const { content } = set.ledger;
  if (content.kind === 'absent') return true;
  return content.kind === 'known' && content.missing.size + content.extra.size > 0;
}

function holdHandOver(state: EngineState, set: ManagedSet): void {
  const { content } = set.ledger;
  const known = content.kind === 'known' ? content : null;
  const adds = known === null ? set.desired.members : set.desired.logicalCount(known.missing);
  const removes = known === null ? 0 : set.desired.logicalCount(known.extra);
  const of = known === null ? 0 : set.desired.members - adds + removes;
  const { key, group, family } = set;
  hold(state, {
    source: 'sets.adopt',
    files: [],
    commit: undefined,
    objects: 1,
    why: [`the foreign set ${set.name} was handed over: its first change adds ${adds} and removes ${removes} members`],
    kind: 'hand-over',
    sets: [{ held: { key, group, family, adds, of, vanishes: false }, elements: known?.extra ?? [] }],
  });
}
