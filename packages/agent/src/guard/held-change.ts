import type { Family, GroupId } from '@setkeeper/ipset';
import type { SetKey } from '../sets/set-key.ts';

/** What a held change takes from one set: which elements is in the set's ledger, under the change's id. */
export interface HeldSet {
  readonly key: SetKey;
  readonly group: GroupId;
  readonly family: Family | null;
  /** Members that the change added; they are in. For a hand-over: that wait too. */
  readonly adds: number;
  /** Members programmed before the change. */
  readonly of: number;
  /** The set itself was to go, at once or when nothing uses it any more. */
  readonly vanishes: boolean;
}

/** A change that waits for an operator, as it is kept in the store. Times are milliseconds since 1970. */
export interface HeldChange {
  readonly id: string;
  readonly at: number;
  readonly source: string;
  readonly files: readonly string[];
  readonly commit?: string;
  /** Objects that the change was about. */
  readonly objects: number;
  readonly why: readonly string[];
  /** `rejected`: kept out until the source changes. */
  readonly state: 'held' | 'rejected';
  /** `hand-over`: the first change of a foreign set that the configuration handed over; its additions wait too. */
  readonly kind: 'change' | 'hand-over';
  readonly sets: readonly HeldSet[];
}
