import type { GroupId, Member } from '@setkeeper/ipset';
import type { HeldChange, HeldSet } from '../guard/held-change.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';

/** What one held change is made of. */
export interface ToHold {
  readonly source: string;
  readonly files: readonly string[];
  readonly commit: string | undefined;
  readonly objects: number;
  readonly why: readonly string[];
  readonly kind: HeldChange['kind'];
  readonly sets: readonly { readonly held: HeldSet; readonly elements: Iterable<Member> }[];
}

/** Stops a change: its removals wait for an operator, in the ledgers of their sets, also over restarts. */
export function hold(state: EngineState, parts: ToHold): HeldChange {
  const { ports, held } = state;
  const at = state.now();
  const change: HeldChange = {
    id: newHeldId(state),
    at,
    source: parts.source,
    files: parts.files,
    ...(parts.commit === undefined ? {} : { commit: parts.commit }),
    objects: parts.objects,
    why: parts.why,
    state: 'held',
    kind: parts.kind,
    sets: parts.sets.map((each) => each.held),
  };
  for (const { held: entry, elements } of parts.sets) {
    const set = state.registry.get(entry.key);
    if (set === undefined) continue;
    set.ledger.withhold(elements, change.id);
    if (entry.vanishes || change.kind === 'hand-over') set.heldBy = change.id;
  }
  state.stamp++;
  held.put(change);
  raiseHeld(state, change);
  ports.store.changes.append({
    at: new Date(at).toISOString(),
    kind: 'guard',
    actor: 'setkeeper',
    subject: change.id,
    text: `Held: ${change.why.slice(0, REASONS_TOLD).join('; ')}${change.why.length > REASONS_TOLD ? '; ...' : ''}`,
    groups: groupsOf(change).slice(0, 100),
    link: '/held/',
  });
  ports.events.emit({ type: 'held-changed', subject: change.id, groups: groupsOf(change).slice(0, 100) });
  return change;
}

/** What a problem names of a held change; "setkeeper held" shows all of it. */
const FILES_NAMED = 3;
/** What the time line keeps. */
const REASONS_TOLD = 10;
const REASONS_NAMED = 3;

/** The problem that a held change is, until it is decided. */
export function raiseHeld(state: EngineState, change: HeldChange): void {
  const { problems } = state.ports;
  if (change.state === 'rejected') {
    problems.clear('change-held', change.id);
    return;
  }
  const files = change.files.length === 0 ? '' : ` (${change.files.slice(0, FILES_NAMED).join(', ')})`;
  const more = change.why.length - REASONS_NAMED;
  const why = [...change.why.slice(0, REASONS_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  problems.raise({
    code: 'change-held',
    subject: change.id,
    message: `A change of ${change.source}${files} is held: ${why}.`,
    consequence: 'Its additions are in, no removal is.',
    remedy: `Look at it with "setkeeper held"; then "setkeeper release ${change.id}" or "setkeeper reject ${change.id}".`,
  });
  if (change.why.some((why) => why.startsWith('the source '))) {
    problems.raise({
      code: 'source-shrunk',
      subject: change.source,
      message: `The source ${change.source} lost most of its objects: nothing was removed.`,
      remedy: `Put the documents back, or release the held change ${change.id}.`,
    });
  }
}

/** Forgets a held change: decided, or taken back. */
export function forgetHeld(state: EngineState, change: HeldChange): void {
  state.held.delete(change.id);
  state.ports.problems.clear('change-held', change.id);
  if (!state.held.all().some(({ source }) => source === change.source)) {
    state.ports.problems.clear('source-shrunk', change.source);
  }
  state.ports.events.emit({ type: 'held-changed', subject: change.id, groups: groupsOf(change).slice(0, 100) });
}

/** A source took back all that a change removed: there is nothing left to decide. */
export function releaseHeldIfEmpty(state: EngineState, id: string): void {
  const change = state.held.get(id);
  if (change === undefined) return;
  const isOpen = change.sets.some(({ key }) => {
    const set = state.registry.get(key);
    return set !== undefined && (set.heldBy === id || isWithheld(set, id));
  });
  if (!isOpen) forgetHeld(state, change);
}

/** After ledgers were replaced by what is there: changes of which nothing is left are forgotten. */
export function pruneHeld(state: EngineState): void {
  for (const { id, kind } of state.held.all()) if (kind === 'change') releaseHeldIfEmpty(state, id);
}

/** Takes what a held change holds out of the ledgers: elements by set, and the sets that were to go. */
export function letGo(
  state: EngineState,
  change: HeldChange,
): { readonly elements: ReadonlyMap<ManagedSet, readonly Member[]>; readonly sets: readonly ManagedSet[] } {
  const elements = new Map<ManagedSet, readonly Member[]>();
  const sets: ManagedSet[] = [];
  state.stamp++;
  for (const { key } of change.sets) {
    const set = state.registry.get(key);
    if (set === undefined) continue;
    const freed = set.ledger.letGo(change.id);
    if (freed.length > 0) elements.set(set, freed);
    if (set.heldBy === change.id) {
      set.heldBy = null;
      sets.push(set);
    }
    state.dirty.add(set);
  }
  return { elements, sets };
}

function isWithheld(set: ManagedSet, id: string): boolean {
  for (const holder of set.ledger.withheld.values()) if (holder === id) return true;
  return false;
}

/** The groups of a change, each once. */
export const groupsOf = (change: HeldChange): readonly GroupId[] => [...new Set(change.sets.map(({ group }) => group))];

/** Short enough to type: `h1`, `h2` ... */
function newHeldId(state: EngineState): string {
  const numbers = state.held.all().map(({ id }) => Number(id.slice(1)) || 0);
  const last = Math.max(state.lastHeld, ...numbers);
  state.lastHeld = last + 1;
  return `h${last + 1}`;
}
