import type { Handlers } from '@setkeeper/api';
import type { Engine } from '../../engine/engine.ts';
import type { OperatorActs } from '../../engine/operator-acts.ts';
import { PlanPreviews } from '../../engine/plan-previews.ts';
import { planLines, planRow } from '../../engine/views/plan-view.ts';
import { iso } from '../../engine/views/set-row.ts';
import { actOf, runOf } from './operator-act.ts';
import { selectionOf } from './sets.ts';

export interface PlanDependencies {
  readonly engine: Engine;
  readonly acts: OperatorActs;
}

/** The verbs on plans. */
export function planHandlers({
  engine,
  acts,
}: PlanDependencies): Pick<Handlers, 'plan.get' | 'plan.lines' | 'plan.apply' | 'runs.retry'> {
  const { state } = engine;
  const previews = new PlanPreviews(state, acts);
  return {
    'plan.get': async ({ scriptLimit, ...selection }) =>
      planRow(state, await previews.of(selectionOf(selection)), { scriptLimit, isNamed: selection.groups.length > 0 }),

    'plan.lines': async ({ digest, cursor, limit, filter, set, ...selection }) => {
      const preview = await previews.confirmed(selectionOf(selection), digest);
      const from = cursor === undefined ? 1 : Math.max(1, Number.parseInt(cursor, 10) || 1);
      const { items, total, next } = await planLines(state, preview, { from, limit, filter, set });
      return {
        items: [...items],
        total,
        ...(next === undefined ? {} : { nextCursor: String(next) }),
        at: iso(state.now()),
      };
    },

    'plan.apply': async ({ digest, reason, wait, ...selection }, { caller }) =>
      runOf(await acts.apply(selectionOf(selection), actOf(caller, { reason, digest })), wait),

    'runs.retry': async ({ id, wait }, { caller }) => runOf(await acts.retry(id, actOf(caller)), wait),
  };
}
