import { isWritableSetName, type Member, ownershipOf, type SetName } from '@setkeeper/ipset';
import type { SourceRemovals } from '../guard/unjudged.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { type EngineState, type HeaderReading, SOURCE_MISSING } from './engine-state.ts';
import { groupsOf, pruneHeld } from './held-rules.ts';
import { judgeSource, START } from './judge-removals.ts';
import { noteHeader } from './kernel-headers.ts';
import { forgetIfIdle } from './life-cycle.ts';
import { reviewLife } from './life-review.ts';
import type { ReadBack } from './read-back.ts';

/**
 * Takes over what the kernel has: sets that fit keep their content and get a minimal delta, others are made anew,
 * nothing is flushed and nothing is empty in between. The difference to the model is judged as one change. Sends nothing.
 */
export async function adopt(state: EngineState, headers: HeaderReading, readBack: ReadBack): Promise<void> {
  enterHeldSets(state);
  for (const set of state.registry.all()) {
    noteHeader(set, headers);
    claimIfPresent(state, set, headers);
  }
  const sets = [...state.registry.all()].filter((set) => state.registry.owner(set.name) === set);
  await readBack.read(sets, headers);
  for (const set of sets) {
    set.isAdopted = set.ledger.content.kind === 'known';
    reviewLife(state, set);
  }
  state.isAdopted = true;
  holdAgain(state);
  const extras = [...sets].filter((set) => set.ledger.content.kind === 'known' && extrasOf(set).length > 0);
  if (state.missingSources.length > 0) {
    for (const set of extras) set.ledger.withhold(extrasOf(set), SOURCE_MISSING);
    for (const set of sets) if (!set.isWanted) set.heldBy ??= SOURCE_MISSING;
    state.isWithholding = true;
    return;
  }
  judgeAtStart(state, extras);
  sweepTemporaries(state, headers);
}

/** Every source has spoken now: what was withheld for their sake is judged, and what dead agents left is swept. */
export function allSourcesSpoke(state: EngineState): void {
  state.isWithholding = false;
  const freed: ManagedSet[] = [];
  for (const set of state.registry.all()) {
    const isFreed = set.heldBy === SOURCE_MISSING;
    if (isFreed) set.heldBy = null;
    if (set.ledger.letGo(SOURCE_MISSING).length > 0 || isFreed) freed.push(set);
  }
  judgeAtStart(state, freed);
  for (const set of freed) state.dirty.add(set);
  if (state.headers !== null) sweepTemporaries(state, state.headers);
}

/** Sets of held changes stay managed, whatever the model says of their groups now. */
function enterHeldSets(state: EngineState): void {
  for (const change of state.held.all()) for (const { group } of change.sets) state.registry.enter(group);
}

/** A set in the kernel that nothing wants is still ours to keep or to end, if its group is known. */
function claimIfPresent(state: EngineState, set: ManagedSet, headers: HeaderReading): void {
  if (set.isWanted || !headers.byName.has(set.name) || !state.registry.claim(set)) return;
  set.life = { phase: 'live', since: state.now() };
}

/** What a held change holds is not in the store: it is what its sets have and the model does not want. */
function holdAgain(state: EngineState): void {
  for (const change of state.held.all()) {
    for (const { key, vanishes } of change.sets) {
      const set = state.registry.get(key);
      if (set === undefined) continue;
      if (set.ledger.content.kind === 'known') set.ledger.withhold(extrasOf(set), change.id);
      // A kernel that lost the set meanwhile (a reboot, another namespace) has nothing that could be held.
      if ((vanishes && !set.isWanted && set.life.phase === 'live') || change.kind === 'hand-over')
        set.heldBy = change.id;
    }
  }
  const groups = state.held.all().flatMap(groupsOf);
  pruneHeld(state);
  for (const group of groups) forgetIfIdle(state, group);
}

function extrasOf({ ledger }: ManagedSet): readonly Member[] {
  if (ledger.content.kind !== 'known') return [];
  return [...ledger.content.extra].filter((element) => !ledger.withheld.has(element));
}

/** All that the kernel has too much, and all sets that nothing wants, as one change. */
function judgeAtStart(state: EngineState, sets: readonly ManagedSet[]): void {
  const taken = state.unjudged.take();
  const names = [...state.sources.keys()];
  const record: SourceRemovals = {
    source: names.length === 1 ? (names[0] ?? START) : (taken.find((each) => each.objectsRemoved > 0)?.source ?? START),
    causes: taken.flatMap(({ causes }) => causes),
    objects: taken.reduce((sum, { objects }) => sum + objects, 0),
    isChange: taken.some(({ isChange }) => isChange),
    objectsBefore: null,
    objectsRemoved: 0,
    removed: new Map(),
    added: new Map(),
    unwanted: new Set(),
  };
  for (const set of sets) record.removed.set(set.key, new Set(extrasOf(set)));
  for (const set of state.registry.all()) if (!set.isWanted && set.life.phase === 'live') record.unwanted.add(set.key);
  const strict = state.ports.store.wasSetAside
    ? 'the store was set aside: what the sources had before is not known'
    : null;
  judgeSource(state, record, strict, taken);
}

/** Temporary and acknowledgement sets that no living agent uses: their writer holds the lock of this namespace, and that is us. */
function sweepTemporaries(state: EngineState, headers: HeaderReading): void {
  const { prefix, formerPrefixes } = state.ports.config.sets;
  for (const [name, { references }] of headers.byName) {
    const { ownership } = ownershipOf(name, { prefix, formerPrefixes });
    if (ownership !== 'temporary' && ownership !== 'acknowledgement') continue;
    if (references === 0 && isWritableSetName(name) && !isInUse(state, name)) state.toSweep.set(name, null);
  }
}

const isInUse = (state: EngineState, name: SetName): boolean => state.ports.isInternal?.(name) ?? false;
