import type { Member, SetName } from '@setkeeper/ipset';
import type { Section } from '../plan/plan.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { destroySection, outgrowsItsTable, sectionFor, wholeInTurns } from '../sets/section-for.ts';
import type { Breathe } from '../sets/sort-in-turns.ts';
import { type Block, blockOf } from './block-of.ts';
import type { EngineState } from './engine-state.ts';
import { Turns } from './turns.ts';

/** What a plan holds, or would hold, for one set. */
export interface PlannedSet {
  readonly set: ManagedSet;
  /** Null: nothing can be sent; `block` says why. */
  readonly section: Section | null;
  readonly block: Block | null;
}

/** Which of a set's pending may be planned. */
export interface PlanningRules {
  readonly reprogram: boolean;
  /** Elements of a set that may be sent; null: none; undefined: all. */
  readonly only?: (set: ManagedSet) => ((element: Member) => boolean) | null | undefined;
  /** Whether a set may be created, rewritten or destroyed; all if not given. */
  readonly mayWriteWhole?: (set: ManagedSet) => boolean;
  /** Room that is asked for; remembered only when the act is accepted. */
  readonly maxelem?: number;
  /** Refusals whose pause is not over are tried too. */
  readonly ignoresPauses: boolean;
}

export const ALL_PENDING: PlanningRules = { reprogram: false, ignoresPauses: false };

/**
 * What has to be sent for some sets, in no order. Lists are planned after hash sets, since they can only hold sets that
 * are there or will be; destroys after lists, since what a list holds is free once the list lets it go. Changes nothing.
 * O(pending), in slices: the model must stay as it is meanwhile.
 */
export async function pendingSections(
  state: EngineState,
  sets: Iterable<ManagedSet>,
  rules: PlanningRules,
): Promise<readonly PlannedSet[]> {
  const turns = new Turns(state.ports);
  const planned: PlannedSet[] = [];
  const all = [...sets];
  const hashSets = all.filter(({ family }) => family !== null);
  const lists = all.filter(({ family }) => family === null);
  const creating = new Set<SetName>();
  const ending: ManagedSet[] = [];
  for (const set of [...hashSets, ...lists]) {
    const turn = turns.due();
    if (turn !== null) await turn;
    const block = blockOf(state, set);
    if (block?.isWhole === true) {
      planned.push({ set, section: null, block });
      continue;
    }
    if (mayEnd(state, set)) ending.push(set);
    const section = await writeSection(state, set, { rules, creating, breathe: () => turns.due() });
    if (section === null && block === null) continue;
    if (section !== null && section.how !== 'delta') creating.add(set.name);
    planned.push({ set, section, block });
  }
  return withDestroys(state, planned, ending, rules);
}

/** A set that nothing wants, nothing holds and that is ours to destroy. */
export function mayEnd(state: EngineState, set: ManagedSet): boolean {
  return !set.isWanted && !set.isHandedOver && set.heldBy === null && set.isInKernel && state.isAdopted;
}

interface Planning {
  readonly rules: PlanningRules;
  /** Names of sets that this plan creates. */
  readonly creating: ReadonlySet<SetName>;
  readonly breathe: Breathe;
}

async function writeSection(
  state: EngineState,
  set: ManagedSet,
  { rules, creating, breathe }: Planning,
): Promise<Section | null> {
  if (!set.isWanted && set.heldBy === null && set.ledger.content.kind === 'absent') return null;
  const now = rules.ignoresPauses ? Number.POSITIVE_INFINITY : state.now();
  const only = rules.only?.(set);
  const mayWriteWhole = rules.mayWriteWhole?.(set) ?? true;
  const isOutgrown = mayWriteWhole && only === undefined && outgrowsItsTable(set);
  const isWhole = set.remake !== null || set.ledger.content.kind !== 'known' || rules.reprogram || isOutgrown;
  if (isWhole) {
    if (!mayWriteWhole) return null;
    if (set.failure !== null && set.failure.retryAt > now) return null;
  }
  if (only === null && !isWhole) return null;
  const whole = isWhole ? await wholeInTurns(set, rules.maxelem, breathe) : undefined;
  return sectionFor(set, {
    now,
    ...(whole === undefined ? {} : { whole }),
    reprogram: rules.reprogram || isOutgrown,
    ...(rules.maxelem === undefined ? {} : { maxelem: rules.maxelem }),
    temporary: () => state.temporary(),
    ...(only === undefined || only === null ? {} : { only }),
    ...(set.family === null ? { isReady: (element: Member) => isReady(state, element, creating) } : {}),
  });
}

/** Whether the set that a list's element names is in the kernel, or will be before the list is written. */
function isReady(state: EngineState, element: Member, creating: ReadonlySet<SetName>): boolean {
  const name = element as string as SetName;
  return (
    creating.has(name) || state.registry.owner(name)?.isInKernel === true || state.headers?.byName.has(name) === true
  );
}

/** Adds the destroys of sets that end: a set that only lists of this plan hold is free when they let it go. */
function withDestroys(
  state: EngineState,
  planned: readonly PlannedSet[],
  ending: readonly ManagedSet[],
  rules: PlanningRules,
): readonly PlannedSet[] {
  const now = rules.ignoresPauses ? Number.POSITIVE_INFINITY : state.now();
  const destroyed = new Set<ManagedSet>();
  const mayDestroy = (set: ManagedSet): boolean =>
    rules.mayWriteWhole?.(set) !== false && (set.failure === null || set.failure.retryAt <= now);
  for (const set of ending) if (set.family === null && set.isUnused && mayDestroy(set)) destroyed.add(set);
  const released = releasedReferences(planned, destroyed);
  for (const set of ending) {
    if (set.family === null || !mayDestroy(set)) continue;
    const references = set.kernelReferences;
    if (references !== null && references <= (released.get(set.name) ?? 0)) destroyed.add(set);
  }
  if (destroyed.size === 0) return planned;
  return [
    ...planned.filter(({ set }) => !destroyed.has(set)),
    ...[...destroyed].map((set) => ({ set, section: destroySection(set), block: null })),
  ];
}

/** How many references each set loses by lists that this plan destroys or takes it out of. */
function releasedReferences(
  planned: readonly PlannedSet[],
  destroyed: ReadonlySet<ManagedSet>,
): ReadonlyMap<SetName, number> {
  const released = new Map<SetName, number>();
  const release = (element: Member): void => {
    const name = element as string as SetName;
    released.set(name, (released.get(name) ?? 0) + 1);
  };
  for (const { set, section } of planned) {
    if (set.family === null && section?.how === 'delta' && !destroyed.has(set)) section.dels.forEach(release);
  }
  for (const list of destroyed) {
    const { content } = list.ledger;
    if (content.kind !== 'known') continue;
    for (const element of list.desired.elements()) if (!content.missing.has(element)) release(element);
    content.extra.forEach(release);
  }
  return released;
}
