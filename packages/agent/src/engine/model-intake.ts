import type { GroupId, Member } from '@setkeeper/ipset';
import type { GroupDelta, MembershipDelta, OverrideEntry } from '../membership/membership.ts';
import { type ChangeCause, isThere, type ModelChange, type ObjectChange, wasThere } from '../model/change.ts';
import { keyParts } from '../model/object-text.ts';
import { setKey } from '../sets/set-key.ts';
import type { EngineState, StandingPin } from './engine-state.ts';
import { releaseHeldIfEmpty } from './held-rules.ts';
import { reviewGroups } from './life-cycle.ts';

/** Objects of a change that are applied in one turn of the event loop: a few milliseconds. */
const SLICE_OBJECTS = 500;
/** Endpoints whose tags a profile changes in one turn, and from how many on it is worth it. */
const SLICE_ENDPOINTS = 3_000;
const ENDPOINTS_AT_ONCE = 20_000;

/**
 * Takes model changes in, one after the other. A small change is applied at once; a large one in slices, between which
 * others have their turn, and nothing is planned until it is whole.
 */
export class ModelIntake {
  readonly #state: EngineState;
  readonly #onApplied: () => void;
  readonly #queue: (() => Promise<void> | null)[] = [];
  /** How many want the model to stay as it is. */
  #pauses = 1;
  #work: Promise<void> | null = null;
  #programsReferenced: boolean;

  /** `onApplied` is called after each change that is whole. */
  constructor(state: EngineState, onApplied: () => void) {
    this.#state = state;
    this.#onApplied = onApplied;
    this.#programsReferenced = state.programsReferenced;
  }

  get isBusy(): boolean {
    return this.#work !== null || this.#queue.length > 0;
  }

  /** Nothing is applied before the first `resume`, and while somebody plans. */
  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** The model stays as it is until as many `resume`; what comes waits. A change that is under way must be whole first: see `idle`. */
  pause(): void {
    this.#pauses++;
  }

  resume(): void {
    this.#pauses--;
    this.#pull();
  }

  /** Resolves when every change so far is applied. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  /** Does something while the model stays as it is; what changes meanwhile is applied afterwards. */
  async still<T>(act: () => Promise<T>): Promise<T> {
    await this.idle();
    this.pause();
    try {
      return await act();
    } finally {
      this.resume();
    }
  }

  take(change: ModelChange): void {
    this.#enqueue(() => {
      if (this.#state.objectsOf.has(change.cause.source)) this.#state.unjudged.of(change.cause).isChange = true;
      if (change.changes.length > SLICE_OBJECTS || this.#reachOf(change) > ENDPOINTS_AT_ONCE) {
        return this.#applySlices(change);
      }
      this.#applySlice(change.changes, change.cause);
      this.#finish(change);
      return null;
    });
  }

  /** An operator's overrides, never judged. Resolves when they are applied. */
  setOverrides(overrides: readonly OverrideEntry[]): Promise<void> {
    return this.#inTurn(() => {
      const delta = this.#state.ports.membership.setOverrides(overrides);
      this.#enter(delta, this.#ownCause('overrides'), false);
    });
  }

  /** All pins that now stand, by referrer. Resolves when they are. */
  setPins(pins: ReadonlyMap<string, StandingPin>): Promise<void> {
    return this.#inTurn(() => {
      const { references, pins: before } = this.#state;
      this.#state.pins = pins;
      const changed: GroupId[] = [];
      for (const referrer of before.keys()) if (!pins.has(referrer)) changed.push(...references.set(referrer, [], 0));
      for (const [referrer, { group, at }] of pins) changed.push(...references.set(referrer, [group], at));
      reviewGroups(this.#state, changed, this.#ownCause('pins'));
    });
  }

  #inTurn(act: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue(() => {
        try {
          act();
          this.#state.stamp++;
          this.#onApplied();
          resolve();
        } catch (error) {
          reject(error);
        }
        return null;
      });
    });
  }

  #enqueue(task: () => Promise<void> | null): void {
    this.#queue.push(task);
    this.#pull();
  }

  #ownCause(source: string): ChangeCause {
    return { source, files: [], at: this.#state.now() };
  }

  #pull(): void {
    if (this.isPaused || this.#work !== null) return;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const work = next();
      if (work === null) continue;
      this.#work = work.finally(() => {
        this.#work = null;
        this.#pull();
      });
      return;
    }
  }

  async #applySlices(change: ModelChange): Promise<void> {
    for (let from = 0; from < change.changes.length; from += SLICE_OBJECTS) {
      const some = change.changes.slice(from, from + SLICE_OBJECTS);
      this.#count(some, change.cause);
      for (const delta of this.#state.ports.membership.applyInSlices(some, SLICE_ENDPOINTS)) {
        this.#enter(delta, change.cause, true);
        await this.#state.ports.turn();
      }
    }
    this.#finish(change);
  }

  /** How many endpoints have a profile that changes. */
  #reachOf({ changes }: ModelChange): number {
    let reach = 0;
    for (const { key } of changes) {
      const { kind, id } = keyParts(key);
      if (kind === 'profile') reach += this.#state.ports.membership.endpointsOfProfile(id);
    }
    return reach;
  }

  #finish(change: ModelChange): void {
    this.#state.modelRevision = change.revision;
    this.#onApplied();
  }

  #applySlice(changes: readonly ObjectChange[], cause: ChangeCause): void {
    this.#count(changes, cause);
    this.#enter(this.#state.ports.membership.apply(changes), cause, true);
  }

  /** How many objects the source has, had and lost: a source that shrinks is judged as a whole. */
  #count(changes: readonly ObjectChange[], cause: ChangeCause): void {
    const { objectsOf, unjudged, documents } = this.#state;
    const before = objectsOf.get(cause.source) ?? 0;
    let now = before;
    for (const change of changes) {
      const { key, origin } = change;
      const is = isThere(change);
      const isHere = is && (origin === null || origin.source === cause.source);
      const was = wasThere(change);
      if (!was && isHere) now++;
      else if (was && !isHere) now--;
      if (!key.startsWith('references/')) continue;
      if (is) documents.add(key);
      else documents.delete(key);
    }
    objectsOf.set(cause.source, Math.max(0, now));
    const record = unjudged.of(cause);
    record.objects += changes.length;
    record.objectsBefore ??= before;
    record.objectsRemoved += before - now;
  }

  #enter(delta: MembershipDelta, cause: ChangeCause, isJudged: boolean): void {
    const state = this.#state;
    state.stamp++;
    const touched = new Set<GroupId>();
    for (const [group, isListed] of delta.listed) {
      if (isListed) state.listed.add(group);
      else state.listed.delete(group);
      touched.add(group);
    }
    for (const group of delta.definition.keys()) touched.add(group);
    for (const [referrer, groups] of delta.references) {
      for (const group of state.references.set(referrer, groups ?? [], cause.at)) touched.add(group);
    }
    for (const each of delta.groups) {
      this.#enterGroup(each, cause, isJudged);
      if (each.family === null) touched.add(each.group);
    }
    reviewGroups(state, touched, cause);
    if (state.programsReferenced === this.#programsReferenced) return;
    this.#programsReferenced = state.programsReferenced;
    reviewGroups(state, [...state.listed, ...state.references.groups()], cause);
  }

  #enterGroup(delta: GroupDelta, cause: ChangeCause, isJudged: boolean): void {
    const { registry, unjudged, dirty } = this.#state;
    const set = registry.get(setKey(delta.group, delta.family));
    // A set that is made later reads the membership as it is then.
    if (set === undefined) return;
    this.#state.onMembersChanged(set.key, delta);
    const { appeared, disappeared } = set.desired.change(delta);
    dirty.add(set);
    // A set that is not there yet, while nobody reads or writes it: its whole content is asked for when it is created.
    if (set.ledger.isIndifferent && (set.ledger.content.kind === 'absent' || !this.#state.isAdopted)) return;
    const came = [...appeared];
    const went = [...disappeared];
    const back = set.ledger.desiredChanged(came, went);
    for (const element of came) unjudged.cameBack(set.key, element);
    // Before the kernel was read nobody knows what a change takes away: then all of it is judged at once.
    if (isJudged && this.#state.isAdopted) this.#noteRemoved(set.key, went, came.length, cause);
    if (back.length === 0) return;
    const holders = new Set(back.map(([, holder]) => holder));
    for (const holder of holders) releaseHeldIfEmpty(this.#state, holder);
  }

  #noteRemoved(key: ReturnType<typeof setKey>, went: readonly Member[], came: number, cause: ChangeCause): void {
    const record = this.#state.unjudged.of(cause);
    if (came > 0) record.added.set(key, (record.added.get(key) ?? 0) + came);
    if (went.length === 0) return;
    const removed = record.removed.get(key) ?? new Set<Member>();
    for (const element of went) removed.add(element);
    record.removed.set(key, removed);
  }
}
