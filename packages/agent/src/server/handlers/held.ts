import type { Handlers } from '@setkeeper/api';
import type { Engine } from '../../engine/engine.ts';
import type { OperatorActs } from '../../engine/operator-acts.ts';
import { heldRow } from '../../engine/views/held-row.ts';
import { actOf, runOf } from './operator-act.ts';

export interface HeldDependencies {
  readonly engine: Engine;
  readonly acts: OperatorActs;
}

/** The verbs on held changes. */
export function heldHandlers({
  engine,
  acts,
}: HeldDependencies): Pick<Handlers, 'held.list' | 'held.release' | 'held.reject'> {
  const { state } = engine;
  return {
    'held.list': (_input, { caller }) => state.held.all().map((change) => heldRow(state, change, caller)),

    'held.release': async ({ id, digest, reason, wait }, { caller }) =>
      runOf(await acts.release(id, actOf(caller, { reason, digest })), wait),

    'held.reject': async ({ id, digest, reason }, { caller }) =>
      heldRow(state, await acts.reject(id, actOf(caller, { reason, digest })), caller),
  };
}
