import type { Owner } from '@setkeeper/api';
import {
  type AddressMatch,
  type GroupId,
  isNomatch,
  type Member,
  matchAddress,
  memberKey,
  parseGroupId,
} from '@setkeeper/ipset';
import { blockOf } from '../engine/block-of.ts';
import type { EngineState } from '../engine/engine-state.ts';
import { memberStates } from '../engine/views/member-state.ts';
import type { ModelObject, ObjectKey } from '../model/objects.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { headerOf } from '../sets/section-for.ts';
import type { AddressFilter } from './address-filter.ts';

/** What the model says, to those who explain. Absent in observe mode. */
export interface ExplainModel {
  readonly state: EngineState;
  readonly objectOfKey: (key: ObjectKey) => ModelObject | null;
}

/** Members looked at in one turn of the event loop. */
const MEMBERS_A_TURN = 20_000;

/** What the model wants of an address in a managed set, decided as the kernel will decide. O(members) for networks and ports. */
export async function desiredMatch(
  model: ExplainModel,
  set: ManagedSet,
  filter: AddressFilter,
  o: { readonly ofEndpoints: ReadonlySet<GroupId>; readonly turn: () => Promise<void> },
): Promise<AddressMatch> {
  const { registry } = model.state;
  if (set.family === null) {
    const names = [...set.desired.elements()];
    const sets = new Map<
      string,
      { readonly header: ReturnType<typeof headerOf>; readonly members: readonly Member[] }
    >();
    for (const name of names) {
      const member = registry.owner(name as string as ManagedSet['name']);
      if (member === undefined) continue;
      sets.set(name, { header: headerOf(member), members: await candidates(model, member, filter, o) });
    }
    return matchAddress(filter.address, headerOf(set), names, (name) => sets.get(name));
  }
  return matchAddress(filter.address, headerOf(set), await candidates(model, set, filter, o));
}

async function candidates(
  { state }: ExplainModel,
  set: ManagedSet,
  filter: AddressFilter,
  { ofEndpoints, turn }: { readonly ofEndpoints: ReadonlySet<GroupId>; readonly turn: () => Promise<void> },
): Promise<readonly Member[]> {
  if (set.family === null || set.family !== filter.address.family) return [];
  const { membership } = state.ports;
  const address = filter.text as Member;
  if (set.type === 'hash:ip') return membership.has(set.group, set.family, address) ? [address] : [];
  if (set.kind === 'port' && !ofEndpoints.has(set.group)) return [];
  const header = headerOf(set);
  const taken: Member[] = [];
  let seen = 0;
  for (const member of membership.members(set.group, set.family)) {
    if (filter.takes(member, header)) taken.push(member);
    if (++seen % MEMBERS_A_TURN === 0) await turn();
  }
  return taken;
}

/** The groups that endpoints with an address are in: ports of others need not be looked through. */
export function groupsOfAddress({ state }: ExplainModel, filter: AddressFilter): ReadonlySet<GroupId> {
  const { membership } = state.ports;
  const endpoints = membership.endpointsWithAddress(filter.text as Member);
  return new Set(endpoints.flatMap((id) => membership.groupsOfEndpoint(id)));
}

const OWNERS_MAX = 20;

/** The owners of the members that decided, each once. */
export function ownersOf({ state }: ExplainModel, set: ManagedSet, elements: readonly string[]): Owner[] {
  const owners = new Map<string, Owner>();
  for (const element of elements) {
    const member = set.desired.logical(element as Member);
    for (const owner of state.ports.membership.owners(set.group, set.family, member))
      owners.set(JSON.stringify(owner), owner);
    if (owners.size >= OWNERS_MAX) break;
  }
  return [...owners.values()].slice(0, OWNERS_MAX);
}

/** Why the kernel does not hold what the model wants, or still holds what it does not. */
export function gapReason(
  { state }: ExplainModel,
  set: ManagedSet,
  elements: readonly string[],
  isWanted: boolean,
): string {
  const block = blockOf(state, set);
  if (block !== null) return block.detail;
  if (!isWanted) return 'its removal is pending';
  const states = memberStates(set);
  for (const element of elements) {
    const member = set.desired.logical(element as Member);
    switch (states.of(member)) {
      case 'parked':
        return `the kernel refused it: ${set.ledger.parking.get(element as Member)?.message ?? 'parked'}`;
      case 'over-capacity':
        return `the set has no room (maxelem ${set.maxelem})`;
      case 'programmed':
        return 'somebody else took it out';
    }
  }
  return 'its addition is pending';
}

/** The word by which the history of objects knows what decided: an address, a network, a group of a list. */
export function historyWord(set: ManagedSet, filter: AddressFilter, elements: readonly string[]): string {
  const [first] = elements;
  if (set.kind === 'net' || set.family === null) {
    const member = first === undefined ? filter.text : set.desired.logical(first as Member);
    return isNomatch(member as Member) ? memberKey(member as Member) : member;
  }
  return filter.text;
}

/** The group id of a text; undefined if it is none. */
export function groupIdOf(text: string): GroupId | undefined {
  const parsed = parseGroupId(text);
  return parsed.ok ? parsed.id : undefined;
}
