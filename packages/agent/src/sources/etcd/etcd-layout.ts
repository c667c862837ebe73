import type { Fault } from '@setkeeper/api';
import type { ObjectKey } from '../../model/objects.ts';
import type { EtcdChange } from './etcd-connection.ts';

/** What a layout says of an object: its canonical text, that what stands there is faulty, or that nothing stands there. */
export type LaidOut =
  | { readonly is: 'value'; readonly text: string }
  | { readonly is: 'faulty' }
  | { readonly is: 'gone' };

/** How objects are written as keys. One layout reads one snapshot and the changes after it. Pure. */
export interface EtcdLayout {
  set(change: EtcdChange): void;
  /** The objects that the changes since the last call concern. */
  take(): ReadonlyMap<ObjectKey, LaidOut>;
  /** The faults that stand. */
  faults(): readonly Fault[];
}
