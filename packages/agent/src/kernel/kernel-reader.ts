import type { ListedSet, SaveHandlers, SetName } from '@setkeeper/ipset';

/** Why a reading is not the truth. Never taken as "the sets are gone". */
export interface ReadFault {
  readonly code:
    | 'partial'
    | 'revision'
    | 'empty-while-names'
    | 'permission'
    | 'spawn-failed'
    | 'timed-out'
    | 'killed'
    | 'set-missing'
    | 'unparsable'
    | 'other';
  readonly message: string;
  readonly raw: string;
}
export type Reading<T> =
  | { readonly ok: true; readonly value: T; readonly at: number; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly fault: ReadFault; readonly at: number };

/** Reads the kernel's sets; writes nothing. */
export interface KernelReader {
  /** All headers with References and entries (`ipset list -t`). 72 ms at 10,000 sets (KERNEL.md section 4). */
  headers(): Promise<Reading<readonly ListedSet[]>>;
  /** One header, or `set-missing`. */
  header(name: SetName): Promise<Reading<ListedSet>>;
  /** The members of one set, streamed (`ipset save NAME`). 0.8 s at 1M members. */
  members(name: SetName, visitor: SaveHandlers): Promise<Reading<{ readonly members: number }>>;
  /** Everything, streamed (`ipset save`). Not a snapshot across sets. */
  everything(visitor: SaveHandlers): Promise<Reading<{ readonly sets: number; readonly members: number }>>;
  /** Running dumps of other processes (`/proc/net/netlink`): destroy and swap of the set they read is busy. */
  dumps(): Promise<readonly { readonly pid: number; readonly command: string }[]>;
}
