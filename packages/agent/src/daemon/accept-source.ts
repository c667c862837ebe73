import type { Engine } from '../engine/engine.ts';
import { START } from '../engine/judge-removals.ts';
import type { OperatorActs } from '../engine/operator-acts.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { Source } from '../sources/source.ts';
import type { Store } from '../store/store.ts';

export interface AcceptanceParts {
  readonly engine: Pick<Engine, 'state'>;
  readonly acts: Pick<OperatorActs, 'release'>;
  readonly store: Pick<Store, 'acknowledgeSetAside'>;
  readonly problems: ProblemBoard;
  readonly sources: readonly Pick<Source, 'name' | 'kind'>[];
}

/** What follows when an operator takes what a source says as complete. */
export type AcceptSource = (source: string, by: { readonly actor: string; readonly reason: string }) => Promise<void>;

/**
 * What the guard held of the accepted source goes through. When every source from outside has been accepted since the
 * start, so does what was held at the start, of which nobody knows whose it is, and a store that was set aside is the
 * store from then on.
 */
export function sourceAcceptance({ engine, acts, store, problems, sources }: AcceptanceParts): AcceptSource {
  const outside = sources.filter(({ kind }) => kind !== 'declared');
  const waiting = new Set((outside.length === 0 ? sources : outside).map(({ name }) => name));

  return async (source, by) => {
    waiting.delete(source);
    const isComplete = waiting.size === 0;
    if (isComplete) {
      store.acknowledgeSetAside();
      problems.clear('store-set-aside', 'store');
    }
    const held = engine.state.held
      .all()
      .filter((change) => change.state === 'held' && change.kind === 'change')
      .filter((change) => change.source === source || (isComplete && change.source === START));
    for (const { id } of held) await (await acts.release(id, by)).ended;
  };
}
