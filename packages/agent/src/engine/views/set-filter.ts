import { ApiError } from '@setkeeper/api';
import { canonicalMember, type GroupId } from '@setkeeper/ipset';
import type { Membership } from '../../membership/membership.ts';
import type { ManagedSet } from '../../sets/managed-set.ts';
import { setCounts } from '../../sets/set-counts.ts';
import { syncOf } from '../../sets/set-sync.ts';
import { blockOf } from '../block-of.ts';
import type { EngineState } from '../engine-state.ts';
import { useOf } from './set-row.ts';

/** What sets are asked for. */
export interface SetQuery {
  readonly filter?: string;
  readonly state?: string;
  readonly kind?: string;
  readonly family?: string;
}

type Test = (set: ManagedSet) => boolean;

/**
 * The test that a query is: words that all must fit. `state:`, `family:`, `member:` and `ref:` begin a term of their own;
 * any other word is looked for in the group's id (`tag:web` too) and in the kernel name. Throws ApiError for a state that
 * does not exist.
 */
export function setFilter(state: EngineState, query: SetQuery): Test | null {
  const tests: Test[] = [];
  const { kind, family } = query;
  if (kind !== undefined) tests.push((set) => set.kind === kind);
  if (family !== undefined) tests.push((set) => set.family === family);
  if (query.state !== undefined) tests.push(stateTest(state, query.state));
  for (const word of (query.filter ?? '').split(/\s+/).filter((each) => each !== '')) tests.push(wordTest(state, word));
  return tests.length === 0 ? null : (set) => tests.every((test) => test(set));
}

function wordTest(state: EngineState, word: string): Test {
  const colon = word.indexOf(':');
  const value = word.slice(colon + 1);
  switch (colon < 0 ? '' : word.slice(0, colon)) {
    case 'state':
      return stateTest(state, value);
    case 'family':
      return (set) => set.family === value;
    case 'member':
      return memberTest(state.ports.membership, value);
    case 'ref':
      return (set) => state.references.of(set.group).some(({ referrer }) => referrer.includes(value));
    default: {
      const lower = word.toLowerCase();
      return (set) => set.group.toLowerCase().includes(lower) || set.name.toLowerCase().includes(lower);
    }
  }
}

/** Sets that hold an address or member, wanted or still programmed; port sets through the endpoints that have it. */
function memberTest(membership: Membership, text: string): Test {
  const groups = new Set<GroupId>();
  for (const family of ['inet', 'inet6'] as const) {
    const address = canonicalMember('hash:ip', family, text);
    if (!address.ok) continue;
    for (const endpoint of membership.endpointsWithAddress(address.member)) {
      for (const group of membership.groupsOfEndpoint(endpoint)) groups.add(group);
    }
  }
  return (set) => {
    if (set.family === null) return set.desired.has(text as never);
    if (set.kind === 'port' && groups.has(set.group)) return true;
    const member = canonicalMember(set.type, set.family, text);
    return member.ok && (set.desired.has(member.member) || set.ledger.isProgrammed(member.member) === true);
  };
}

/** Values of the axes of a managed set, and a few words for what an operator looks for. */
function stateTest(state: EngineState, value: string): Test {
  switch (value) {
    case 'waiting':
    case 'starting':
    case 'live':
    case 'stopping':
      return (set) => set.life.phase === value;
    case 'unknown':
    case 'drifted':
    case 'dirty':
    case 'in-sync':
      return (set) => syncOf(set, setCounts(set)).sync === value;
    case 'used':
    case 'unused':
    case 'unseen':
      return (set) => useOf(set) === value;
    case 'none':
    case 'running':
    case 'succeeded':
    case 'partly':
    case 'interrupted':
      return (set) => (set.lastRun?.result ?? 'none') === value;
    case 'failed':
      return (set) => set.lastRun?.result === 'failed' || isBroken(set);
    case 'pending':
      return (set) => {
        const { pendingAdds, pendingDels } = setCounts(set);
        return pendingAdds + pendingDels > 0;
      };
    case 'parked':
      return (set) => set.ledger.parking.size > 0;
    case 'over-capacity':
      return (set) => setCounts(set).overCapacity > 0;
    case 'blocked':
      return (set) => blockOf(state, set) !== null;
    case 'held':
    case 'on-hold':
    case 'not-read':
    case 'source-missing':
    case 'not-referenced':
    case 'name-collision':
    case 'header-conflict':
      return (set) => blockOf(state, set)?.by === value;
    case 'no-longer-used':
      return (set) => set.isNoLongerUsed;
    default:
      throw new ApiError('bad-input', `There is no state "${value}".`, {
        subject: 'state',
        remedy:
          'States are those of a set: waiting, live, dirty, drifted, unknown, in-sync, failed, used, unused, parked ...',
      });
  }
}

const isBroken = (set: ManagedSet): boolean =>
  set.collidesWith !== null || set.conflict !== null || set.failure !== null || set.ledger.parking.size > 0;
