import type { GroupId } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { hasUnsent, waitsForApply } from './apply-waiting.ts';
import type { EngineState } from './engine-state.ts';

/** The answer behind `wait`. */
export interface Settled {
  /** Sources have spoken and nothing is pending or running. */
  readonly settled: boolean;
  /** Groups that are not as they should be and will not be by waiting: refused, over capacity, in conflict. */
  readonly failed: readonly GroupId[];
  readonly held: number;
  /** Sources that did not speak yet. */
  readonly waitingFor: readonly string[];
}

/** What a look at all sets found. */
interface Look {
  readonly at: number;
  readonly failed: readonly GroupId[];
  /** Something is pending that waits for an operator. */
  readonly waits: boolean;
}

/** While something is under way, an older look at all sets is good for so long. */
const LOOK_AGE_MAX_MS = 500;

/** Answers whether nothing is left to do, also to those who ask again and again. */
export class SettledReader {
  readonly #state: EngineState;
  #look: Look | null = null;

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** `isIdle`: no run, no reading and no change is under way. O(sets) when idle. */
  read(isIdle: boolean): Settled {
    const state = this.#state;
    const waitingFor = [...state.sources.values()].filter(({ state }) => state === 'missing').map(({ name }) => name);
    const isDone =
      isIdle &&
      state.isOpen &&
      state.isAdopted &&
      state.dirty.size === 0 &&
      state.toRead.size === 0 &&
      state.environment === null;
    const { failed, waits } = this.#lookAtSets(isDone);
    return {
      settled: isDone && !waits && waitingFor.length === 0,
      failed,
      held: state.held.all().filter((change) => change.state === 'held').length,
      waitingFor,
    };
  }

  #lookAtSets(isDone: boolean): Look {
    const now = this.#state.ports.clock.monotonic();
    if (!isDone && this.#look !== null && now - this.#look.at < LOOK_AGE_MAX_MS) return this.#look;
    const isManual = this.#state.ports.config.sets.apply === 'manual';
    const failed = new Set<GroupId>();
    let waits = false;
    for (const set of this.#state.registry.all()) {
      if (isFailed(set)) failed.add(set.group);
      else if (isManual && waitsForApply(this.#state, set)) waits = true;
      if (waitsForHold(this.#state, set)) waits = true;
    }
    this.#look = { at: now, failed: [...failed].sort(), waits };
    return this.#look;
  }
}

function isFailed(set: ManagedSet): boolean {
  if (set.collidesWith !== null || set.conflict !== null) return true;
  if (set.failure !== null || set.ledger.parking.size > 0) return true;
  return set.life.phase !== 'waiting' && hasNoRoom(set);
}

/** A hold keeps something from the kernel: that is pending until the hold ends. */
function waitsForHold(state: EngineState, set: ManagedSet): boolean {
  return set.life.phase !== 'waiting' && state.isOnHold(set.group) && hasUnsent(set);
}

function hasNoRoom({ ledger, desired, maxelem }: ManagedSet): boolean {
  const { content } = ledger;
  return content.kind === 'known' && content.missing.size > 0 && maxelem !== null && desired.count > maxelem;
}
