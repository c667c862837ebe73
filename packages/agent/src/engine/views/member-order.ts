import { compareMembers, type Member, sortMembers } from '@setkeeper/ipset';
import type { GroupDelta } from '../../membership/membership.ts';
import type { ManagedSet } from '../../sets/managed-set.ts';
import type { SetKey } from '../../sets/set-key.ts';
import type { EngineState } from '../engine-state.ts';

/** Members of so many sets are kept sorted; more would be memory that nobody looks at. */
const KEPT_MEMBERS_MAX = 3_000_000;
const KEPT_MS = 10 * 60_000;
/** Changes that are merged into an order; with more it is made anew. */
const MERGED_CHANGES_MAX = 100_000;

interface KeptOrder {
  members: readonly Member[];
  appeared: Set<Member>;
  disappeared: Set<Member>;
  usedAt: number;
}

/**
 * The logical members of sets in ascending order, for those who page through them. The first page of a set sorts it;
 * later changes are merged in. Kept for the sets that were looked at last.
 */
export class MemberOrders {
  readonly #state: EngineState;
  readonly #kept = new Map<SetKey, KeptOrder>();

  constructor(state: EngineState) {
    this.#state = state;
    state.onMembersChanged = (key, delta) => this.#changed(key, delta);
  }

  /** O(1) if nothing changed, O(members) after a change, O(members log members) the first time. */
  of(set: ManagedSet): readonly Member[] {
    const now = this.#state.ports.clock.monotonic();
    const kept = this.#kept.get(set.key);
    if (kept !== undefined) {
      kept.usedAt = now;
      if (kept.appeared.size + kept.disappeared.size > 0) merge(kept);
      return kept.members;
    }
    const { membership } = this.#state.ports;
    const members = sortMembers(membership.members(set.group, set.family));
    this.#kept.set(set.key, { members, appeared: new Set(), disappeared: new Set(), usedAt: now });
    this.#forgetOld(now, set.key);
    return members;
  }

  #changed(key: SetKey, delta: GroupDelta): void {
    const kept = this.#kept.size === 0 ? undefined : this.#kept.get(key);
    if (kept === undefined) return;
    for (const member of delta.disappeared) if (!kept.appeared.delete(member)) kept.disappeared.add(member);
    for (const member of delta.appeared) if (!kept.disappeared.delete(member)) kept.appeared.add(member);
    if (kept.appeared.size + kept.disappeared.size > MERGED_CHANGES_MAX) this.#kept.delete(key);
  }

  #forgetOld(now: number, except: SetKey): void {
    const oldestFirst = [...this.#kept].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let members = oldestFirst.reduce((sum, [, kept]) => sum + kept.members.length, 0);
    for (const [key, kept] of oldestFirst) {
      if (key === except || (members <= KEPT_MEMBERS_MAX && now - kept.usedAt < KEPT_MS)) continue;
      this.#kept.delete(key);
      members -= kept.members.length;
    }
  }
}

/** The index of the first member that is not before another; behind the last if all are. O(log n). */
export function firstNotBefore(members: readonly Member[], member: Member): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareMembers(members[middle] ?? member, member) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(kept: KeptOrder): void {
  const added = sortMembers(kept.appeared);
  const merged: Member[] = [];
  let from = 0;
  for (const member of added) {
    const to = firstNotBefore(kept.members, member);
    for (let i = from; i < to; i++) pushUnless(merged, kept.members[i], kept.disappeared);
    merged.push(member);
    from = to;
  }
  for (let i = from; i < kept.members.length; i++) pushUnless(merged, kept.members[i], kept.disappeared);
  kept.members = merged;
  kept.appeared = new Set();
  kept.disappeared = new Set();
}

function pushUnless(into: Member[], member: Member | undefined, gone: ReadonlySet<Member>): void {
  if (member !== undefined && (gone.size === 0 || !gone.has(member))) into.push(member);
}
