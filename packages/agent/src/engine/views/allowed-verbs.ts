import { type Caller, type ManagedSet, mayAsk, type VerbName, verbs } from '@setkeeper/api';

/** What may be done with an object, by verb, and why not. */
export type Allowed = Record<string, { allowed: boolean; reason?: string }>;

const SET_VERBS: readonly VerbName[] = ['plan.apply', 'sets.reprogram', 'holds.add', 'overrides.add', 'pins.add'];

/** What the caller may do with a set now. */
export function allowedVerbs(
  caller: Caller,
  row: Pick<ManagedSet, 'blocked' | 'blockedDetail' | 'kind' | 'phase'>,
): Allowed {
  return Object.fromEntries(SET_VERBS.map((name) => [name, allowed(caller, name, blockReason(name, row))]));
}

/** What the caller may do with a held change. */
export const allowedHeldVerbs = (caller: Caller): Allowed =>
  Object.fromEntries((['held.release', 'held.reject'] as const).map((name) => [name, allowed(caller, name, null)]));

function allowed(caller: Caller, name: VerbName, reason: string | null): { allowed: boolean; reason?: string } {
  const verb = verbs[name];
  if (!mayAsk(caller.role, verb)) return { allowed: false, reason: `It needs the role ${verb.role}.` };
  return reason === null ? { allowed: true } : { allowed: false, reason };
}

function blockReason(
  name: VerbName,
  row: Pick<ManagedSet, 'blocked' | 'blockedDetail' | 'kind' | 'phase'>,
): string | null {
  if (name === 'overrides.add' && row.kind === 'list') return 'A list has groups as members, not addresses.';
  if (name !== 'plan.apply' && name !== 'sets.reprogram') return null;
  if (row.blocked === undefined || row.blocked === 'held') return null;
  return row.blockedDetail ?? row.blocked;
}
