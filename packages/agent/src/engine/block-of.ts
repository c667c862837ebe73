import type { Blocked } from '@setkeeper/api';
import type { ManagedSet } from '../sets/managed-set.ts';
import { type EngineState, SOURCE_MISSING } from './engine-state.ts';

/** Why a set, or its removals, cannot be programmed yet. */
export interface Block {
  readonly by: Blocked;
  readonly detail: string;
  /** True: nothing of the set may be sent. False: its removals wait, the rest goes. */
  readonly isWhole: boolean;
}

const whole = (by: Blocked, detail: string): Block => ({ by, detail, isWhole: true });

/** What keeps a set from being programmed now, the first of several; null: nothing. O(1). */
export function blockOf(state: EngineState, set: ManagedSet): Block | null {
  if (set.collidesWith !== null) {
    return whole('name-collision', `${set.collidesWith} already has the kernel name ${set.name}`);
  }
  if (set.life.phase === 'waiting' && !set.isWanted) {
    return whole('not-referenced', 'no rule, policy, list or pin names it on this host');
  }
  if (!state.isOpen) {
    const waiting = [...state.sources.values()].filter(({ state }) => state !== 'current').map(({ name }) => name);
    if (waiting.length > 0) return whole('source-missing', `waiting for ${waiting.join(', ')}`);
  }
  if (!state.isAdopted || state.toRead.has(set)) return whole('not-read', 'the kernel was not read yet');
  if (state.isOnHold(set.group)) return whole('on-hold', 'an operator stopped programming and repair');
  if (set.conflict !== null) return whole('header-conflict', set.conflict);
  if (set.heldBy !== null && state.held.get(set.heldBy)?.kind === 'hand-over') {
    return whole('held', `its hand-over waits for "setkeeper release ${set.heldBy}"`);
  }
  const holder = set.heldBy ?? set.ledger.withheld.values().next().value;
  if (holder === undefined) return null;
  if (holder === SOURCE_MISSING) {
    return { by: 'source-missing', detail: `removals wait for ${state.missingSources.join(', ')}`, isWhole: false };
  }
  const isRejected = state.held.get(holder)?.state === 'rejected';
  const removals = set.ledger.withheld.size;
  const what = removals === 0 ? 'its end' : `${removals} ${removals === 1 ? 'removal' : 'removals'}`;
  const detail = `${what} ${removals > 1 ? 'are' : 'is'} ${isRejected ? 'rejected' : 'held'} (${holder})`;
  return { by: 'held', detail, isWhole: false };
}
