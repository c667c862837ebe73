import { ApiError } from '@setkeeper/api';
import { scopeText } from '../plan/plan-scope.ts';
import type { EngineState } from './engine-state.ts';
import type { OperatorActs, PlanPreview, Selection } from './operator-acts.ts';

/** Plans kept for those who page through them. */
const KEPT_MAX = 4;

/** Plans that were asked for, as long as they are what would be sent: paging through a plan does not make it anew. */
export class PlanPreviews {
  readonly #state: EngineState;
  readonly #acts: OperatorActs;
  readonly #kept = new Map<string, { readonly stamp: number; readonly preview: PlanPreview }>();

  constructor(state: EngineState, acts: OperatorActs) {
    this.#state = state;
    this.#acts = acts;
  }

  async of(selection: Selection): Promise<PlanPreview> {
    const { groups, reprogram, maxelem } = selection;
    const key = scopeText({
      groups: groups as never,
      reprogram,
      maxelem: maxelem ?? null,
      purpose: String(selection.all),
    });
    const kept = this.#kept.get(key);
    if (kept?.stamp === this.#state.stamp) return kept.preview;
    const { stamp } = this.#state;
    const preview = await this.#acts.plan(selection);
    this.#kept.delete(key);
    this.#kept.set(key, { stamp, preview });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_MAX) break;
      this.#kept.delete(oldest);
    }
    return preview;
  }

  /** Throws ApiError if the plan is no longer the one with this digest. */
  async confirmed(selection: Selection, digest: string): Promise<PlanPreview> {
    const preview = await this.of(selection);
    const now = await preview.plan.digestInTurns(this.#state.ports.turn);
    if (now === digest) return preview;
    throw new ApiError('digest-stale', 'The plan is no longer the one that was shown.', {
      remedy: 'Look at the plan again.',
      details: { digest: now },
    });
  }
}
