import type { Caller, Held } from '@setkeeper/api';
import type { Member } from '@setkeeper/ipset';
import type { HeldChange } from '../../guard/held-change.ts';
import type { EngineState } from '../engine-state.ts';
import { heldDigest, heldElements } from '../held-digest.ts';
import { heldRemoves } from '../held-removes.ts';
import { allowedHeldVerbs } from './allowed-verbs.ts';
import { iso } from './set-row.ts';

const SAMPLE = 20;

/** A held change as an operator sees it; counts are what it holds now. O(withheld), and sorting. */
export function heldRow(state: EngineState, change: HeldChange, caller: Caller | null): Held {
  const sets = change.sets.map((held) => {
    const set = state.registry.get(held.key);
    const elements = heldElements(state, change, held.key);
    const members = new Set<Member>(elements.map((element) => set?.desired.logical(element) ?? element));
    return {
      group: held.group,
      family: held.family,
      removes: heldRemoves(state, change, held),
      adds: held.adds,
      of: held.of,
      sample: [...members].slice(0, SAMPLE),
    };
  });
  return {
    id: change.id,
    at: iso(change.at),
    source: change.source,
    files: [...change.files],
    ...(change.commit === undefined ? {} : { commit: change.commit }),
    objects: change.objects,
    why: [...change.why],
    digest: heldDigest(state, change),
    state: change.state,
    sets,
    removes: sets.reduce((sum, { removes }) => sum + removes, 0),
    ...(caller === null ? {} : { verbs: allowedHeldVerbs(caller) }),
  };
}
