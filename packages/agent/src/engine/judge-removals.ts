import type { Member } from '@setkeeper/ipset';
import { type JudgedChange, judge, type SetLoss, type SourceLoss } from '../guard/judge.ts';
import type { SourceRemovals } from '../guard/unjudged.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { SetKey } from '../sets/set-key.ts';
import type { EngineState, HeaderReading } from './engine-state.ts';
import { forgetHeld, hold, letGo } from './held-rules.ts';
import { saysSomething } from './kernel-headers.ts';

/** What a change takes from one set: elements that are programmed and no longer desired, or the set itself. */
interface Loss {
  readonly set: ManagedSet;
  readonly elements: ReadonlySet<Member>;
  /** Nothing wants it any more: it is to go as soon as nothing uses it. */
  readonly ends: boolean;
  /** It would go now. */
  readonly vanishes: boolean;
  readonly of: number;
}

/** Judges every removal that was not judged yet, by source; what must wait is held. O(removals). */
export function judgeRemovals(state: EngineState): void {
  for (const record of state.unjudged.take()) judgeSource(state, record, null);
}

/** Whether judging needs header readings that are fresh: a set would be emptied, or end. */
export function needsHeaders(state: EngineState): boolean {
  return state.unjudged.some(
    ({ removed, unwanted }) =>
      unwanted.size > 0 || [...removed.keys()].some((key) => state.registry.get(key)?.desired.count === 0),
  );
}

/** Whether a set of which something is to be judged is not there any more: somebody else destroyed it, and it has nothing to lose. O(sets touched). */
export const isSomeGone = (state: EngineState, headers: HeaderReading): boolean =>
  state.unjudged.some(({ removed, unwanted }) =>
    [...removed.keys(), ...unwanted].some((key) => {
      const set = state.registry.get(key);
      if (set?.ledger.content.kind !== 'known' || !saysSomething(set, headers)) return false;
      return !headers.byName.has(set.name) && !headers.unreadable.has(set.name);
    }),
  );

/** Judges what one source took away. `strict`: a reason to let no removal pass. `sources`: whose sizes are judged with it. */
export function judgeSource(
  state: EngineState,
  record: SourceRemovals,
  strict: string | null,
  sources: readonly SourceRemovals[] = [record],
): void {
  takeRejectedBack(state, record);
  const losses = lossesOf(state, record);
  if (losses.length === 0) return;
  const change: JudgedChange = {
    sets: losses.map((loss) => lossInMembers(state, loss)),
    sources: sources.flatMap((each) => sourceLoss(state, each)),
    strict,
  };
  const why = judge(state.ports.config.guard, change);
  if (why.length === 0) return;
  const newest = record.causes.at(-1);
  hold(state, {
    source: record.source,
    files: [...new Set(record.causes.flatMap(({ files }) => files))].slice(0, 100),
    commit: newest?.commit,
    objects: record.objects,
    why,
    kind: 'change',
    sets: losses.map(({ set, elements, ends, of }) => ({
      elements,
      held: {
        key: set.key,
        group: set.group,
        family: set.family,
        adds: record.added.get(set.key) ?? 0,
        of,
        vanishes: ends,
      },
    })),
  });
}

/** A rejected change is kept out until its source changes: then it is judged anew, together with what is new. */
function takeRejectedBack(state: EngineState, record: SourceRemovals): void {
  if (!record.isChange) return;
  for (const change of state.held.all()) {
    if (change.state !== 'rejected' || (change.source !== record.source && change.source !== START)) continue;
    const { elements, sets } = letGo(state, change);
    for (const [set, freed] of elements) {
      const removed = record.removed.get(set.key) ?? new Set<Member>();
      for (const element of freed) removed.add(element);
      record.removed.set(set.key, removed);
    }
    for (const set of sets) record.unwanted.add(set.key);
    forgetHeld(state, change);
  }
}

function lossesOf(state: EngineState, record: SourceRemovals): readonly Loss[] {
  const losses: Loss[] = [];
  const keys = new Set<SetKey>([...record.removed.keys(), ...record.unwanted]);
  for (const key of keys) {
    const set = state.registry.get(key);
    if (set === undefined || set.ledger.content.kind === 'absent') continue;
    const { content } = set.ledger;
    const elements = new Set<Member>();
    for (const element of record.removed.get(key) ?? []) {
      if (content.kind === 'unknown' || content.extra.has(element)) elements.add(element);
    }
    const ends = !set.isWanted && set.isInKernel && set.heldBy === null;
    const vanishes = ends && (set.isUnused || isHeldByLists(state, set));
    if (elements.size === 0 && !ends) continue;
    const members = set.desired.logicalCount(elements);
    losses.push({ set, elements, ends, vanishes, of: programmedMembers(set) ?? set.desired.members + members });
  }
  return losses;
}

/** All that the kernel counts is our own lists: it ends with them. */
function isHeldByLists(state: EngineState, set: ManagedSet): boolean {
  const references = set.kernelReferences;
  if (references === null) return false;
  const name = set.name as string as Member;
  let lists = 0;
  for (const each of state.registry.all()) {
    if (each.family === null && !each.isWanted && each.ledger.isProgrammed(name) === true) lists++;
  }
  return lists === references;
}

function programmedMembers({ ledger, desired }: ManagedSet): number | null {
  if (ledger.content.kind !== 'known') return null;
  const { missing, extra } = ledger.content;
  return desired.members - desired.logicalCount(missing) + desired.logicalCount(extra);
}

function lossInMembers(state: EngineState, { set, elements, vanishes, of }: Loss): SetLoss {
  const removes = vanishes ? of : set.desired.logicalCount(elements);
  return {
    title: `${set.group}${set.family === null ? '' : ` (${set.family})`}`,
    removes,
    of,
    isEmptied: of > 0 && set.desired.count === 0 && set.ledger.withheld.size === 0 && !vanishes,
    isUsed: !set.isUnused,
    isDefined: state.ports.membership.isDefined(set.group),
    vanishes,
  };
}

function sourceLoss(state: EngineState, record: SourceRemovals): readonly SourceLoss[] {
  const kind = state.sources.get(record.source)?.kind;
  if (kind === 'declared' || record.objectsBefore === null || record.objectsBefore === 0) return [];
  return [{ name: record.source, removes: Math.max(0, record.objectsRemoved), of: record.objectsBefore }];
}

/** The source of what is judged when the agent starts and several sources may be behind it. */
export const START = 'start';
