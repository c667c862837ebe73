import { faultOf } from '../../client/api-fault.ts';
import type { Plan, PlanSelection } from '../../client/api-types.ts';

/** A plan for what is still there of a choice, and what is not. */
export interface ReadPlan {
  readonly plan: Plan;
  /** What the plan is for: the choice without the groups that are gone. */
  readonly selection: PlanSelection;
  /** Groups that were chosen and that the agent does not know any more. */
  readonly gone: readonly string[];
}

const goneMax = 50;

/**
 * Reads the plan of a choice made on an earlier list. Groups that went meanwhile are left out and named, instead of
 * failing the rest. Throws what the agent threw if nothing chosen is left, or more than 50 are gone.
 */
export async function readPlan(
  chosen: PlanSelection,
  ask: (selection: PlanSelection) => Promise<Plan>,
): Promise<ReadPlan> {
  const gone: string[] = [];
  let selection = chosen;
  for (;;) {
    try {
      return { plan: await ask(selection), selection, gone };
    } catch (error) {
      const { code, subject } = faultOf(error);
      const groups = selection.groups ?? [];
      const isGone = code === 'not-found' && subject !== undefined && groups.includes(subject);
      if (!isGone || groups.length === 1 || gone.length === goneMax) throw error;
      gone.push(subject);
      selection = { ...selection, groups: groups.filter((group) => group !== subject) };
    }
  }
}
