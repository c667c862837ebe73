import type { Holder, Unreadable } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';

/** What accounts for the kernel's references, as one reading found it. */
export interface HolderReading {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The headers that belong to it: read when the holders had been. Null, with a word in `unreadable`, if they could not be read. */
  readonly sets: readonly ListedSet[] | null;
  /** Sets whose References changed while holders were read: nothing is concluded of them. */
  readonly moving: ReadonlySet<string>;
  /** Proven holders by set name. */
  readonly holders: ReadonlyMap<string, readonly Holder[]>;
  /** What holds some set without showing which: it may explain any unexplained reference. Looked for only where there is one. */
  readonly possible: readonly Holder[];
  /** Processes that dump sets now: not counted in References, yet a destroy of the set they read is refused. */
  readonly dumps: readonly Holder[];
  /** Members of lists that have expired and are not collected yet: each holds a set, and nobody shows which. */
  readonly expired: number;
  /** Native sets of firewalld's nftables table: an ipset of the same name enforces nothing. */
  readonly firewalldSets: ReadonlySet<string>;
  /**
   * Whether a reference without a holder may be called unexplained: false where rules are there that could not be read,
   * or where no tool for rules is installed at all.
   */
  readonly isConclusive: boolean;
  /** What could not be read; its silence is never "no holder". */
  readonly unreadable: readonly Unreadable[];
}

/** Answers what holds sets. */
export interface HolderReader {
  /** Reads all rules, lists and dumps anew: seconds where rule sets are huge. One reading at a time; who asks meanwhile waits for the next one. */
  read(): Promise<HolderReading>;
  /** The newest reading, without reading again. */
  last(): HolderReading | null;
}

/** Proven holders of one set. */
export function holdersOf(reading: HolderReading | null, set: string): readonly Holder[] {
  return reading?.holders.get(set) ?? [];
}

/** How many kernel references a reading accounts for. */
export function explainedCount(reading: HolderReading | null, set: string): number {
  return holdersOf(reading, set).reduce((sum, holder) => sum + holder.count, 0);
}

/** A reading that saw everything, and nothing that holds a set: what others are made from. */
export const NO_HOLDERS: HolderReading = {
  at: 0,
  sets: [],
  moving: new Set(),
  holders: new Map(),
  possible: [],
  dumps: [],
  expired: 0,
  firewalldSets: new Set(),
  isConclusive: true,
  unreadable: [],
};
