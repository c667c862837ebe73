import { ApiError } from '@setkeeper/api';
import type { GroupId, Member } from '@setkeeper/ipset';
import type { HeldChange } from '../guard/held-change.ts';
import type { MadePlan } from '../plan/make-plan.ts';
import type { Section } from '../plan/plan.ts';
import { EVERYTHING, type PlanScope } from '../plan/plan-scope.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { Engine } from './engine.ts';
import { type EngineState, MAXELEM_FACTS } from './engine-state.ts';
import { rememberHandOver } from './hand-over.ts';
import { heldDigest } from './held-digest.ts';
import { forgetHeld, letGo, raiseHeld } from './held-rules.ts';
import { ParkedByRun } from './parked-by-run.ts';
import { ALL_PENDING, type PlannedSet, pendingSections } from './pending-sections.ts';
import type { RunParts, StartedRun } from './runner.ts';
import { assertNotAllBlocked, groupOf, selectedSets } from './selected-sets.ts';

/** Who acts, why, and on which confirmed digest. */
export interface Act {
  readonly actor: string;
  readonly reason?: string;
  readonly digest?: string;
}

/** What an operator asks about. */
export interface Selection {
  /** Empty: all. */
  readonly groups: readonly string[];
  readonly reprogram: boolean;
  readonly all: boolean;
  readonly maxelem?: number;
}

/** A plan with what it does to each set, blocked ones too. */
export interface PlanPreview {
  readonly plan: MadePlan;
  readonly planned: readonly PlannedSet[];
}

/** What an operator can have done. Each act is refused by ApiError, or becomes a run of its own when its turn comes. */
export class OperatorActs {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The plan for a selection, as it would be sent now. Changes nothing. */
  plan(selection: Selection): Promise<PlanPreview> {
    return this.#engine.still(async () => {
      const parts = await partsOf(this.#engine.state, selection);
      return { plan: this.#engine.planOf(parts), planned: parts.planned };
    });
  }

  /** Sends now what is pending, also what pauses; with a digest exactly that. */
  apply(selection: Selection, act: Act): Promise<StartedRun> {
    const { state } = this.#engine;
    return this.#engine.request(async () => {
      if (selection.groups.length > 0) assertNotAllBlocked(state, selectedSets(state, selection.groups));
      const parts = await partsOf(state, { ...selection, reprogram: false });
      return { parts, ...causeOf('apply', act) };
    });
  }

  /** Writes whole sets again by temporary set and swap; a new room is remembered. */
  reprogram(selection: Selection, act: Act): Promise<StartedRun> {
    const { state } = this.#engine;
    return this.#engine.request(async () => {
      if (selection.groups.length === 0 && !selection.all) {
        throw new ApiError('bad-input', 'Name the groups to write again, or say all.');
      }
      const sets = selectedSets(state, selection.groups);
      assertNotAllBlocked(state, sets);
      const asked = { ...selection, reprogram: true };
      assertRoom(sets, selection.maxelem);
      const parts = await partsOf(state, asked);
      const isStale = act.digest !== undefined && act.digest !== this.#engine.planOf(parts).digest;
      if (selection.maxelem !== undefined && !isStale) rememberRoom(state, sets, selection.maxelem);
      return { parts, ...causeOf('reprogram', act) };
    });
  }

  /** Tries at once what a run left parked: also members of lists whose sets are back in the kernel since the headers were read. */
  retry(runId: string, act: Act): Promise<StartedRun> {
    const { state } = this.#engine;
    return this.#engine.request(async () => {
      const run = state.ports.store.runs.get(runId);
      if (run === null) throw new ApiError('not-found', `There is no run ${runId}.`, { subject: runId });
      await this.#engine.headers.readFresh();
      const parked = new ParkedByRun(state, run);
      const planned = await pendingSections(state, parked.sets, {
        reprogram: false,
        ignoresPauses: true,
        only: (set) => (element) => parked.has(set, set.ledger.parking.get(element)),
        mayWriteWhole: (set) => parked.has(set, set.failure),
      });
      return { parts: { planned, others: [], scope: purpose(`retry ${runId}`) }, ...causeOf('retry', act, runId) };
    });
  }

  /** Lets exactly one held change through, once. */
  release(id: string, act: Act): Promise<StartedRun> {
    const { state } = this.#engine;
    return this.#engine.request(async () => {
      const change = heldOf(state, id, act.digest);
      const { elements, sets } = letGo(state, change);
      forgetHeld(state, change);
      if (change.kind === 'hand-over') for (const set of sets) rememberHandOver(state, set);
      const freed = new Map([...elements].map(([set, members]) => [set, new Set<Member>(members)]));
      const released = new Set<ManagedSet>([...freed.keys(), ...sets]);
      const ending = new Set(sets);
      if (ending.size > 0) await this.#engine.headers.readFresh();
      const planned = await pendingSections(state, released, {
        reprogram: false,
        ignoresPauses: true,
        only: (set) => (change.kind === 'hand-over' ? undefined : (element) => freed.get(set)?.has(element) === true),
        mayWriteWhole: (set) => ending.has(set),
      });
      const { digest: _used, ...rest } = act;
      return { parts: { planned, others: [], scope: purpose(`release ${id}`) }, ...causeOf('release', rest, id) };
    });
  }

  /** Keeps a held change out until its source changes. */
  reject(id: string, act: Act): Promise<HeldChange> {
    const { state } = this.#engine;
    return this.#engine.between(() => {
      const change: HeldChange = { ...heldOf(state, id, act.digest), state: 'rejected' };
      state.held.put(change);
      raiseHeld(state, change);
      state.ports.store.changes.append({
        at: new Date(state.now()).toISOString(),
        kind: 'guard',
        actor: act.actor,
        subject: id,
        text: `Rejected${act.reason === undefined ? '' : `: ${act.reason}`}: its removals stay out until ${change.source} changes`,
        groups: change.sets.slice(0, 100).map(({ group }) => group),
      });
      state.ports.events.emit({ type: 'held-changed', subject: id });
      return change;
    });
  }

  /** Runs destroys that the clean-up chose, made when its turn comes. A name that a managed set owns is refused. */
  cleanup(sections: () => Promise<readonly Section[]>, act: Act): Promise<StartedRun> {
    const { state } = this.#engine;
    return this.#engine.request(async () => {
      const others = await sections();
      const owned = others.find(({ set, how }) => how !== 'destroy' || state.registry.owner(set) !== undefined);
      if (owned !== undefined) throw new ApiError('unsafe', `${owned.set} is managed: clean-up never touches it.`);
      return { parts: { planned: [], others, scope: purpose('cleanup') }, ...causeOf('cleanup', act) };
    });
  }
}

async function partsOf(state: EngineState, selection: Selection): Promise<RunParts> {
  const sets = selectedSets(state, selection.groups);
  const { reprogram } = selection;
  const scope: PlanScope = {
    groups: selection.groups.map(groupOf),
    reprogram,
    maxelem: selection.maxelem ?? null,
    purpose: '',
  };
  if (!reprogram) {
    return { planned: await pendingSections(state, sets, { ...ALL_PENDING, ignoresPauses: true }), others: [], scope };
  }
  const wanted = sets.filter((set) => set.isWanted || set.isInKernel);
  const { maxelem } = selection;
  const rules = { reprogram: true, ignoresPauses: true, ...(maxelem === undefined ? {} : { maxelem }) };
  return { planned: await pendingSections(state, wanted, rules), others: [], scope };
}

function assertRoom(sets: readonly ManagedSet[], maxelem: number | undefined): void {
  if (maxelem === undefined) return;
  const full = sets.find((set) => set.maxelem !== null && (set.ledger.programmed ?? 0) > maxelem);
  if (full === undefined) return;
  throw new ApiError(
    'unsafe',
    `${full.name} holds ${full.ledger.programmed} members: a room of ${maxelem} would push some out.`,
    {
      subject: full.group,
      remedy: 'Ask for more room, or take members out of the model first.',
    },
  );
}

function rememberRoom(state: EngineState, sets: readonly ManagedSet[], maxelem: number): void {
  const groups = new Set<GroupId>();
  for (const set of sets) {
    if (set.maxelem === null) continue;
    set.maxelem = maxelem;
    groups.add(set.group);
  }
  for (const group of groups) {
    state.maxelemOf.set(group, maxelem);
    state.ports.store.facts.put(MAXELEM_FACTS, group, maxelem);
  }
}

function heldOf(state: EngineState, id: string, digest: string | undefined): HeldChange {
  const change = state.held.get(id);
  if (change === undefined) {
    throw new ApiError('not-found', `There is no held change ${id}; it may have been decided or taken back.`, {
      subject: id,
    });
  }
  const now = heldDigest(state, change);
  if (digest === undefined || digest === now) return change;
  throw new ApiError('digest-stale', `The held change ${id} is no longer what was shown.`, {
    subject: id,
    remedy: 'Look at it again, and confirm it as it is now.',
    details: { digest: now },
  });
}

const purpose = (text: string): PlanScope => ({ ...EVERYTHING, purpose: text });

const causeOf = (cause: string, act: Act, causeDetail?: string) => ({
  cause: {
    cause,
    actor: act.actor,
    ...(causeDetail === undefined ? {} : { causeDetail }),
    ...(act.reason === undefined ? {} : { reason: act.reason }),
  },
  ...(act.digest === undefined ? {} : { digest: act.digest }),
});
