import type { GroupId, SetName } from '@setkeeper/ipset';
import type { Engine } from '../engine/engine.ts';
import { namedReferences } from '../engine/views/named-references.ts';
import type { Store } from '../store/store.ts';
import type { ManagedView, PinView } from './managed-view.ts';

export interface EngineViewOptions {
  readonly engine: Engine;
  readonly store: Pick<Store, 'wasSetAside'>;
  /** Sources that have not been current since the start of the agent. */
  readonly waitingFor: () => readonly string[];
  readonly isInternal: (name: string) => boolean;
}

/** What the engine knows of its own sets, for those that look at the host. */
export function engineView({ engine, store, waitingFor, isInternal }: EngineViewOptions): ManagedView {
  const { state } = engine;
  return {
    owner: (name) => state.registry.owner(name as SetName),
    sets: (group) => (group === undefined ? state.registry.all() : state.registry.ofGroup(group)),
    named: (group) => namedReferences(state, group),
    isInternal,
    leftoversWaitFor: () => {
      if (store.wasSetAside) {
        return 'the store was set aside: what the sources had before is not known until an operator accepts a source';
      }
      const waiting = waitingFor();
      if (waiting.length > 0) return `not every source has spoken: waiting for ${waiting.join(', ')}`;
      return state.isOpen && state.isAdopted ? null : 'the model and the kernel were not read yet';
    },
    pins: () => pinsOf(engine),
  };
}

/** The referrer of an operator's pin. */
const PIN = 'pin/';

function pinsOf({ state }: Engine): readonly PinView[] {
  const pins: PinView[] = [];
  for (const referrer of state.references.referrers()) {
    if (!referrer.startsWith(PIN)) continue;
    for (const [group, at] of state.references.namedBy(referrer)) {
      pins.push({ group, referrer, at, isDefined: isDefined(state.ports.membership, group) });
    }
  }
  return pins;
}

const isDefined = (membership: { isDefined(group: GroupId): boolean }, group: GroupId): boolean =>
  membership.isDefined(group);
