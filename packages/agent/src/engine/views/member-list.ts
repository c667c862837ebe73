import type { MemberRow } from '@setkeeper/api';
import { compareMembers, type Family, type Member, sortMembers } from '@setkeeper/ipset';
import type { ManagedSet } from '../../sets/managed-set.ts';
import type { EngineState } from '../engine-state.ts';
import { firstNotBefore, type MemberOrders } from './member-order.ts';
import { SinceReader } from './member-since.ts';
import { type MemberStates, memberStates } from './member-state.ts';
import { iso } from './set-row.ts';

export interface MemberQuery {
  readonly sets: readonly ManagedSet[];
  readonly filter?: string | undefined;
  /** `all`: also members that are to leave. Not given: those that are wanted. */
  readonly state?: MemberRow['state'] | 'all' | undefined;
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
    const hasMore = index < members.length || (items.length === query.limit && hasLater(query, set));
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
    since: withOwners ? since.since(set.group, member, owners) : null,
    state: isWanted ? states.of(member) : set.ledger.parking.get(member) === undefined ? 'pending-del' : 'parked',
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
  // Members of the other states were chosen already.
  const isScanned = query.state === 'programmed';
  if ((filter === undefined || filter === '') && endpoint === undefined && !isScanned) return members;
  const found: Member[] = [];
  for (const [i, member] of members.entries()) {
    if (i % SCANNED_A_TURN === SCANNED_A_TURN - 1) await state.ports.turn();
    if (filter !== undefined && !member.includes(filter)) continue;
    if (isScanned && states.of(member) !== query.state) continue;
    if (endpoint !== undefined && !isOwnedBy(state, set, member, endpoint)) continue;
    found.push(member);
  }
  return found;
}

function membersIn(
  orders: MemberOrders,
  set: ManagedSet,
  states: MemberStates,
  asked: MemberQuery['state'],
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
    case 'all':
      return withLeaving(orders.of(set), sortMembers(states.pendingDels));
    default:
      return orders.of(set);
  }
}

/** Two ascending lists as one. O(members) where anything is to leave. */
function withLeaving(wanted: readonly Member[], leaving: readonly Member[]): readonly Member[] {
  if (leaving.length === 0) return wanted;
  const all: Member[] = [];
  let next = 0;
  for (const member of wanted) {
    for (let other = leaving[next]; other !== undefined && compareMembers(other, member) < 0; other = leaving[++next]) {
      all.push(other);
    }
    if (leaving[next] === member) next++;
    all.push(member);
  }
  return all.concat(leaving.slice(next));
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

const hasLater = ({ sets, state }: MemberQuery, set: ManagedSet): boolean =>
  sets
    .slice(sets.indexOf(set) + 1)
    .some(({ desired, ledger }) => desired.members > 0 || (state === 'all' && (ledger.programmed ?? 0) > 0));

function after(members: readonly Member[], member: Member): number {
  const index = firstNotBefore(members, member);
  return members[index] === member ? index + 1 : index;
}
