import type { MemberRow } from '@setkeeper/api';
import { type Family, type Member, sortMembers } from '@setkeeper/ipset';
import type { ManagedSet } from '../../sets/managed-set.ts';
import type { EngineState } from '../engine-state.ts';
import { firstNotBefore, type MemberOrders } from './member-order.ts';
import { SinceReader } from './member-since.ts';
import { type MemberStates, memberStates } from './member-state.ts';
import { iso } from './set-row.ts';

export interface MemberQuery {
  readonly sets: readonly ManagedSet[];
  readonly filter?: string | undefined;
  readonly state?: MemberRow['state'] | undefined;
  readonly owners: boolean;
  readonly endpoint?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface MemberPage {
  readonly items: readonly MemberRow[];
  readonly total: number;
  readonly nextCursor?: string;
  readonly at: string;
}

/** Members scanned by a filter in one turn of the event loop. */
const SCANNED_A_TURN = 20_000;

/**
 * One page of members by address, the sets in the order given. Without a filter it costs the page alone, once the set is
 * sorted; with one, a scan of the set in turns.
 */
export async function memberPage(state: EngineState, orders: MemberOrders, query: MemberQuery): Promise<MemberPage> {
  const since = new SinceReader(state.ports.store.changes);
  const items: MemberRow[] = [];
  const start = parseCursor(query.cursor);
  let total = 0;
  let nextCursor: string | undefined;
  for (const set of query.sets) {
    const states = memberStates(set);
    const members = await matching(state, orders, set, states, query);
    total += members.length;
    if (nextCursor !== undefined || isBehind(query.sets, set, start)) continue;
    let index = start !== null && start.family === set.family ? after(members, start.member) : 0;
    for (; index < members.length && items.length < query.limit; index++) {
      const member = members[index];
      if (member !== undefined) items.push(rowOf(state, set, member, states, query.owners, since));
    }
    const last = items.at(-1);
    const hasMore = index < members.length || (items.length === query.limit && hasLater(query.sets, set));
    if (hasMore && last !== undefined && items.length === query.limit)
      nextCursor = `${set.family ?? 'list'} ${last.member}`;
  }
  return { items, total, ...(nextCursor === undefined ? {} : { nextCursor }), at: iso(state.now()) };
}

function rowOf(
  state: EngineState,
  set: ManagedSet,
  member: Member,
  states: MemberStates,
  withOwners: boolean,
  since: SinceReader,
): MemberRow {
  const owners = withOwners ? state.ports.membership.owners(set.group, set.family, member) : [];
  const isWanted = state.ports.membership.has(set.group, set.family, member);
  return {
    member,
    family: set.family,
    owners: [...owners],
    since: withOwners ? since.since(member, owners) : null,
    state: isWanted ? states.of(member) : 'pending-del',
  };
}

/** The members of a set that a query is about, in ascending order. */
async function matching(
  state: EngineState,
  orders: MemberOrders,
  set: ManagedSet,
  states: MemberStates,
  query: MemberQuery,
): Promise<readonly Member[]> {
  const members = membersIn(orders, set, states, query.state);
  const { filter, endpoint } = query;
  const isAsked = query.state === undefined || STANDING.has(query.state) || query.state === 'programmed';
  if ((filter === undefined || filter === '') && endpoint === undefined && (query.state === undefined || !isAsked))
    return members;
  const found: Member[] = [];
  for (const [i, member] of members.entries()) {
    if (i % SCANNED_A_TURN === SCANNED_A_TURN - 1) await state.ports.turn();
    if (filter !== undefined && !member.includes(filter)) continue;
    if (query.state !== undefined && query.state !== 'pending-del' && states.of(member) !== query.state) continue;
    if (endpoint !== undefined && !isOwnedBy(state, set, member, endpoint)) continue;
    found.push(member);
  }
  return found;
}

/** States whose members are few and known without a scan. */
const STANDING: ReadonlySet<MemberRow['state']> = new Set(['pending-del', 'over-capacity', 'parked', 'pending-add']);

function membersIn(
  orders: MemberOrders,
  set: ManagedSet,
  states: MemberStates,
  asked: MemberRow['state'] | undefined,
): readonly Member[] {
  switch (asked) {
    case 'pending-del':
      return sortMembers(states.pendingDels);
    case 'pending-add':
      return sortMembers(states.pendingAdds);
    case 'over-capacity':
      return sortMembers(states.overCapacity);
    case 'parked':
      return sortMembers([...set.ledger.parking.entries()].map(([element]) => set.desired.logical(element)));
    default:
      return orders.of(set);
  }
}

const isOwnedBy = (state: EngineState, set: ManagedSet, member: Member, endpoint: string): boolean =>
  state.ports.membership.owners(set.group, set.family, member).some((owner) => owner.endpoint === endpoint);

interface Cursor {
  readonly family: Family | null;
  readonly member: Member;
}

function parseCursor(cursor: string | undefined): Cursor | null {
  const space = cursor?.indexOf(' ') ?? -1;
  if (cursor === undefined || space < 0) return null;
  const family = cursor.slice(0, space);
  return { family: family === 'list' ? null : (family as Family), member: cursor.slice(space + 1) as Member };
}

/** Whether a set's members were all on earlier pages. */
function isBehind(sets: readonly ManagedSet[], set: ManagedSet, start: Cursor | null): boolean {
  if (start === null) return false;
  return sets.indexOf(set) < sets.findIndex(({ family }) => family === start.family);
}

const hasLater = (sets: readonly ManagedSet[], set: ManagedSet): boolean =>
  sets.slice(sets.indexOf(set) + 1).some(({ desired }) => desired.members > 0);

function after(members: readonly Member[], member: Member): number {
  const index = firstNotBefore(members, member);
  return members[index] === member ? index + 1 : index;
}
