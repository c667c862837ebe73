import type { GroupId } from '@setkeeper/ipset';

/** What was asked for: part of a plan's digest, so that a confirmation is for this question alone. */
export interface PlanScope {
  /** Empty: all groups. */
  readonly groups: readonly GroupId[];
  /** Whole sets are written again, by temporary set and swap. */
  readonly reprogram: boolean;
  readonly maxelem: number | null;
  /** What else the plan is for: a released change, a clean-up. Empty for what is pending. */
  readonly purpose: string;
}

/** Everything that is pending. */
export const EVERYTHING: PlanScope = { groups: [], reprogram: false, maxelem: null, purpose: '' };

/** The scope as text: equal for equal scopes, whatever the order in which groups were named. */
export const scopeText = (scope: PlanScope): string =>
  JSON.stringify([[...new Set(scope.groups)].sort(), scope.reprogram, scope.maxelem, scope.purpose]);
