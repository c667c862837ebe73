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
  /** What ipset said on standard error, as it was. */
  readonly raw: string;
}

/** A set that exists and that this ipset cannot read, such as one with a revision newer than it knows. */
export interface UnreadableSet {
  readonly name: SetName;
  readonly message: string;
}

export type Reading<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** When the reading began, in milliseconds since 1970: what happened later may or may not be in it. */
      readonly at: number;
      readonly warnings: readonly string[];
      /** Absent: every set could be read. Only `headers` and `everything` have it. */
      readonly unreadable?: readonly UnreadableSet[];
    }
  | { readonly ok: false; readonly fault: ReadFault; readonly at: number };

/**
 * Reads the kernel's sets; writes nothing, and never throws for what the kernel says. What a visitor saw before a fault
 * is not the truth and must be thrown away.
 */
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
  dumps(): Promise<readonly RunningDump[]>;
}

/** A process that reads sets at this moment. */
export interface RunningDump {
  readonly pid: number;
  readonly command: string;
}
