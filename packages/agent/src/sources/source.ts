import type { Fault } from '@setkeeper/api';
import type { ObjectKey, ObjectRecord } from '../model/objects.ts';

/** `current`; `stale`: serving its last good content; `missing`: never had any. */
export type SourceState = 'current' | 'stale' | 'missing';

/** One whole generation of a source against its previous one, or only a change of its state. */
export interface SourceUpdate {
  readonly source: string;
  readonly state: SourceState;
  /** Milliseconds since 1970: when the state began. */
  readonly since: number;
  readonly upserts: readonly ObjectRecord[];
  readonly deletes: readonly ObjectKey[];
  /** All faults that now stand, not only new ones. */
  readonly faults: readonly Fault[];
  readonly files: readonly string[];
  readonly commit?: string;
  readonly detail?: string;
}

/** A place where the data model comes from. Delivers updates in order; never throws for what the world says. */
export interface Source {
  readonly name: string;
  readonly kind: 'directory' | 'etcd' | 'declared';
  /** Begins; last good content of the store is delivered first, as `stale`. */
  start(deliver: (update: SourceUpdate) => void): Promise<void>;
  stop(): Promise<void>;
  /** An operator takes what the source now says as complete. */
  accept?(): Promise<void>;
}
