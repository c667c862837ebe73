import type { Holder, Unreadable } from '@setkeeper/api';

/** What accounts for the kernel's references, as one reading found it. */
export interface HolderReading {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Proven holders by set name. */
  readonly holders: ReadonlyMap<string, readonly Holder[]>;
  /** What holds some set without showing which: it may explain any unexplained reference. */
  readonly possible: readonly Holder[];
  /** Processes that dump sets now: not counted in References, yet a destroy of the set they read is refused. */
  readonly dumps: readonly Holder[];
  /** What could not be read; its silence is never "no holder". */
  readonly unreadable: readonly Unreadable[];
}

/** Answers what holds sets. */
export interface HolderReader {
  /** Reads all rules, lists and dumps anew: seconds where rule sets are huge. */
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
