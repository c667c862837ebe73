import type { Plan, PlanSet } from '../../client/api-types.ts';

/** What changed between the plan that was shown and the plan that holds now. */
export interface PlanDifference {
  readonly added: readonly PlanSet[];
  readonly gone: readonly PlanSet[];
  readonly changed: readonly { readonly before: PlanSet; readonly after: PlanSet }[];
}

/** Compares two plans set by set. Cost: O(sets). */
export function planDifference(before: Plan, after: Plan): PlanDifference {
  const old = new Map(before.sets.map((set) => [set.name, set]));
  const added: PlanSet[] = [];
  const changed: { before: PlanSet; after: PlanSet }[] = [];
  for (const set of after.sets) {
    const was = old.get(set.name);
    old.delete(set.name);
    if (was === undefined) added.push(set);
    else if (was.adds !== set.adds || was.dels !== set.dels || was.how !== set.how || was.lines !== set.lines) {
      changed.push({ before: was, after: set });
    }
  }
  return { added, gone: [...old.values()], changed };
}

/** What a plan amounts to, for the friction before it: sets it will touch, and whether it destroys any. */
export function planWeight(plan: Plan): {
  readonly sets: number;
  readonly blocked: number;
  readonly destroys: boolean;
} {
  const open = plan.sets.filter((set) => set.blocked === undefined);
  return {
    sets: open.length,
    blocked: plan.sets.length - open.length,
    destroys: open.some((set) => set.how === 'destroy'),
  };
}
