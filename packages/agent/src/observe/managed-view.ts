import type { Family, GroupId, SetName } from '@setkeeper/ipset';
import type { NamedReference } from '../sets/references.ts';

/** A managed set as those see it that only look. */
export interface ManagedSetView {
  readonly group: GroupId;
  readonly family: Family | null;
  readonly name: SetName;
}

/** What is known of the agent's own sets, to those that look at the host. In observe mode nothing is managed. */
export interface ManagedView {
  /** The managed set that owns a kernel name, adopted ones included. */
  owner(name: string): ManagedSetView | undefined;
  /** The managed sets of a group, or all, that are or should be in the kernel. */
  sets(group?: GroupId): Iterable<ManagedSetView>;
  /** Who needs a group in the kernel. */
  named(group: GroupId): readonly NamedReference[];
  /** A set that the agent itself uses now: its acknowledgement set, a temporary set of the run under way. */
  isInternal(name: string): boolean;
  /** Why no leftover of our own form may go yet, as a sentence: sources that have not spoken, a store set aside. Null: it may. */
  leftoversWaitFor(): string | null;
  /** Operators' named references. */
  pins(): readonly PinView[];
}

/** An operator's pin. `isDefined`: the model still knows the group. Times: milliseconds since 1970. */
export interface PinView {
  readonly group: GroupId;
  readonly referrer: string;
  readonly at: number;
  readonly isDefined: boolean;
}

/** Observe mode: no model, no set of ours. Sets with the form of ours may be another agent's, so none is a leftover to go. */
export const NOTHING_MANAGED: ManagedView = {
  owner: () => undefined,
  sets: () => [],
  named: () => [],
  isInternal: () => false,
  leftoversWaitFor: () => 'this agent only observes: it cannot know what is wanted',
  pins: () => [],
};
