import { ApiError } from '@setkeeper/api';
import { type GroupId, parseGroupId } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { blockOf } from './block-of.ts';
import type { EngineState } from './engine-state.ts';

/** The sets of named groups, or all sets if none is named. Throws ApiError for a text that is no group, or a group without sets. */
export function selectedSets(state: EngineState, groups: readonly string[]): readonly ManagedSet[] {
  if (groups.length === 0) return [...state.registry.all()];
  return groups.flatMap((text) => {
    const sets = state.registry.ofGroup(groupOf(text));
    if (sets.length === 0) throw unknownGroup(text);
    return sets;
  });
}

const unknownGroup = (text: string): ApiError =>
  new ApiError('not-found', `There is no group ${text} in the model, and nothing references it.`, {
    subject: text,
    remedy: '"setkeeper groups" lists the groups.',
  });

/** A group id from text. Throws ApiError for a text that is none. */
export function groupOf(text: string): GroupId {
  const parsed = parseGroupId(text);
  if (parsed.ok) return parsed.id;
  throw new ApiError('bad-input', `${text} is no group: ${parsed.reason}`, { subject: text });
}

/** A group id from text, of a group that there is. While sources have not spoken every group may be one. Throws ApiError. */
export function knownGroup(state: EngineState, text: string): GroupId {
  const group = groupOf(text);
  if (state.isOpen && state.registry.ofGroup(group).length === 0) throw unknownGroup(text);
  return group;
}

/** Throws ApiError if the engine cannot act yet: sources have not spoken, or the kernel was not read. */
export function assertReady(state: EngineState): void {
  if (state.isOpen && state.isAdopted) return;
  const waiting = [...state.sources.values()].filter(({ state }) => state !== 'current').map(({ name }) => name);
  const what = waiting.length === 0 ? 'the kernel' : `the sources ${waiting.join(', ')}`;
  throw new ApiError('not-ready', `The agent still waits for ${what}.`, {
    remedy: 'Try again in a moment; "setkeeper wait" waits.',
  });
}

/** Throws ApiError if every one of some sets is blocked as a whole. */
export function assertNotAllBlocked(state: EngineState, sets: readonly ManagedSet[]): void {
  const blocks = sets.map((set) => ({ set, block: blockOf(state, set) }));
  const first = blocks[0];
  if (first === undefined || blocks.some(({ block }) => block?.isWhole !== true)) return;
  const detail = first.block?.detail ?? '';
  throw new ApiError('blocked', `${first.set.group} cannot be programmed now: ${detail}.`, {
    subject: first.set.group,
    details: { blocked: first.block?.by },
  });
}
