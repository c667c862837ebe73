import type { ManagedSet } from '../../sets/managed-set.ts';
import { type SetCounts, setCounts } from '../../sets/set-counts.ts';
import type { SetRegistry } from '../../sets/set-registry.ts';
import { syncOf } from '../../sets/set-sync.ts';
import type { EngineState } from '../engine-state.ts';
import { type SetQuery, setFilter } from './set-filter.ts';
import { useOf } from './set-row.ts';

const COLUMNS = [
  'group',
  'name',
  'type',
  'phase',
  'sync',
  'use',
  'desired',
  'programmed',
  'kernel',
  'pending',
  'parked',
  'overCapacity',
  'references',
  'changedAt',
] as const;

export type SortColumn = (typeof COLUMNS)[number];

/** A column from text; an unknown one is the group's. */
export const sortColumn = (text: string): SortColumn => COLUMNS.find((column) => column === text) ?? 'group';

/** One page of sets. */
export interface SetPage {
  readonly sets: readonly ManagedSet[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** An order by numbers that change is good for so long: rows always show their newest numbers. */
const ORDER_AGE_MAX_MS = 2_000;

interface Order {
  readonly sets: readonly ManagedSet[];
  readonly revision: number;
  readonly madeAt: number;
}

/** What a filter found in an order, as long as nothing changes. */
interface Found {
  readonly order: readonly ManagedSet[];
  readonly stamp: number;
  readonly madeAt: number;
  readonly sets: readonly ManagedSet[];
}

/** Filtered lists that are kept: those that a few operators page through. */
const FOUND_MAX = 6;

/**
 * Pages of managed sets by filter and sort. Sorted orders are kept, and what a filter found while nothing changes: a page of
 * 100,000 sets costs a scan for its filter at most.
 */
export class SetList {
  readonly #state: EngineState;
  readonly #orders = new Map<SortColumn, Order>();
  readonly #found = new Map<string, Found>();

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** Throws ApiError for a state that does not exist. A cursor whose set is gone goes on at its place. */
  page(
    query: SetQuery & {
      readonly sort?: { readonly by: SortColumn; readonly desc: boolean } | undefined;
      readonly cursor?: string | undefined;
      readonly limit: number;
    },
  ): SetPage {
    const { by, desc } = query.sort ?? { by: 'group', desc: false };
    const found = this.#filtered(this.#order(by), by, query);
    const start = startOf(found, query.cursor, desc);
    const at = (index: number): ManagedSet | undefined => found[desc ? found.length - 1 - index : index];
    const sets: ManagedSet[] = [];
    for (let index = start; index < Math.min(start + query.limit, found.length); index++) {
      const set = at(index);
      if (set !== undefined) sets.push(set);
    }
    const last = sets.at(-1);
    const next = start + sets.length;
    const hasMore = last !== undefined && next < found.length;
    return { sets, total: found.length, ...(hasMore ? { nextCursor: `${next} ${last.key}`.slice(0, 200) } : {}) };
  }

  #filtered(order: readonly ManagedSet[], by: SortColumn, query: SetQuery): readonly ManagedSet[] {
    const fits = setFilter(this.#state, query);
    if (fits === null) return order;
    const { stamp, ports } = this.#state;
    const now = ports.clock.monotonic();
    const question = JSON.stringify([by, query.filter, query.state, query.kind, query.family]);
    const known = this.#found.get(question);
    this.#found.delete(question);
    const isSame = known !== undefined && known.order === order && known.stamp === stamp;
    const found =
      isSame && now - known.madeAt < ORDER_AGE_MAX_MS ? known : { order, stamp, madeAt: now, sets: order.filter(fits) };
    this.#found.set(question, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= FOUND_MAX) break;
      this.#found.delete(oldest);
    }
    return found.sets;
  }

  #order(by: SortColumn): readonly ManagedSet[] {
    const { registry, ports } = this.#state;
    const known = this.#orders.get(by);
    const now = ports.clock.monotonic();
    const isNew = known !== undefined && known.revision === registry.revision;
    if (isNew && (STANDING.has(by) || now - known.madeAt < ORDER_AGE_MAX_MS)) return known.sets;
    const sets =
      by === 'group'
        ? [...nearlySorted(registry, known?.sets ?? [])].sort(byGroup)
        : sortedBy(this.#state, this.#order('group'), by);
    this.#orders.set(by, { sets, revision: registry.revision, madeAt: now });
    return sets;
  }
}

/** Columns that never change for a set. */
const STANDING: ReadonlySet<SortColumn> = new Set(['group', 'name', 'type']);

/** Where a page begins: behind the cursor's set, or where it was. */
function startOf(found: readonly ManagedSet[], cursor: string | undefined, desc: boolean): number {
  if (cursor === undefined) return 0;
  const space = cursor.indexOf(' ');
  const place = Number(cursor.slice(0, space));
  const key = cursor.slice(space + 1);
  if (!Number.isInteger(place) || place < 0) return 0;
  const at = (index: number): ManagedSet | undefined => found[desc ? found.length - 1 - index : index];
  if (at(place - 1)?.key.startsWith(key) === true) return place;
  for (let index = 0; index < found.length; index++) if (at(index)?.key.startsWith(key) === true) return index + 1;
  return Math.min(place, found.length);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const FAMILY_ORDER = { inet: 0, inet6: 1 } as const;

const byGroup = (a: ManagedSet, b: ManagedSet): number =>
  compareText(a.group, b.group) ||
  (a.family === null || b.family === null ? 0 : FAMILY_ORDER[a.family] - FAMILY_ORDER[b.family]);

/** The sets in the order that they had, those that came since behind: a few new ones cost a sort next to nothing. */
function* nearlySorted(registry: SetRegistry, before: readonly ManagedSet[]): Generator<ManagedSet> {
  for (const set of before) if (registry.get(set.key) === set) yield set;
  const known = new Set(before);
  for (const set of registry.all()) if (!known.has(set)) yield set;
}

/** Sets with equal keys stay in the order of their groups. Numbers have few values for many sets: those are sorted, not the sets. */
function sortedBy(state: EngineState, sets: readonly ManagedSet[], by: SortColumn): readonly ManagedSet[] {
  const bySame = new Map<string | number, ManagedSet[]>();
  for (const set of sets) {
    const key = keyOf(state, set, by);
    const same = bySame.get(key);
    if (same === undefined) bySame.set(key, [set]);
    else same.push(set);
  }
  return [...bySame]
    .sort(([a], [b]) => (typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b))))
    .flatMap(([, same]) => same);
}

const PHASES = ['waiting', 'starting', 'live', 'stopping'];
const SYNCS = ['in-sync', 'dirty', 'drifted', 'unknown'];
const USES = ['used', 'unused', 'unseen'];

function keyOf(state: EngineState, set: ManagedSet, by: SortColumn): string | number {
  switch (by) {
    case 'group':
      return set.group;
    case 'name':
      return set.name;
    case 'type':
      return set.type;
    case 'phase':
      return PHASES.indexOf(set.life.phase);
    case 'use':
      return USES.indexOf(useOf(set));
    case 'references':
      return state.references.of(set.group).length * 1_000_000 + (set.kernelReferences ?? 0);
    case 'changedAt':
      return set.changedAt ?? 0;
    case 'desired':
      return set.desired.members;
    case 'parked':
      return set.ledger.parking.size;
    case 'sync':
      return SYNCS.indexOf(syncOf(set, setCounts(set)).sync);
    default:
      return numberOf(setCounts(set), by);
  }
}

function numberOf(counts: SetCounts, by: 'programmed' | 'kernel' | 'pending' | 'overCapacity'): number {
  switch (by) {
    case 'programmed':
      return counts.programmed ?? -1;
    case 'kernel':
      return counts.kernel ?? -1;
    case 'pending':
      return counts.pendingAdds + counts.pendingDels;
    case 'overCapacity':
      return counts.overCapacity;
  }
}
