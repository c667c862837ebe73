import type { KernelSet } from '@setkeeper/api';
import { type GroupId, ownershipOf } from '@setkeeper/ipset';

/** Whose a set of the host is. `internal`: our acknowledgement set and the temporary sets of a run that is under way. */
export type SetOwner = KernelSet['owner'];

export interface OwnershipRules {
  readonly prefix: string;
  readonly formerPrefixes: readonly string[];
  /** The group whose managed set has this name, adopted names included; undefined: no managed set owns it. */
  readonly managedGroup: (name: string) => GroupId | undefined;
  /** True for a set that the agent itself uses now. */
  readonly isInternal: (name: string) => boolean;
}

export interface SetOwnership {
  readonly owner: SetOwner;
  readonly form: 'own' | 'temporary' | 'acknowledgement' | 'former-prefix' | null;
  readonly group: GroupId | undefined;
  readonly prefixShared: boolean;
  /** False: no restore line may hold this name. */
  readonly writable: boolean;
}

/** Ownership by the exact form of the name and by what the agent manages now (invariant 5). */
export function setOwnership(name: string, rules: OwnershipRules): SetOwnership {
  const { ownership, prefixShared, writable } = ownershipOf(name, rules);
  const group = rules.managedGroup(name);
  const form = FORMS[ownership];
  const rest = { form, group, prefixShared, writable };
  if (group !== undefined) return { owner: 'managed', ...rest };
  if (rules.isInternal(name)) return { owner: 'internal', ...rest };
  switch (ownership) {
    case 'managed-form':
    case 'former-prefix':
      return { owner: 'leftover', ...rest };
    case 'temporary':
    case 'acknowledgement':
      return { owner: 'temporary', ...rest };
    case 'foreign':
      return { owner: 'foreign', ...rest };
  }
}

const FORMS = {
  'managed-form': 'own',
  temporary: 'temporary',
  acknowledgement: 'acknowledgement',
  'former-prefix': 'former-prefix',
  foreign: null,
} as const;
