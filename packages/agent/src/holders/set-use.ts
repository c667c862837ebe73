import { explainedCount, type HolderReading, holdersOf } from './holder-reading.ts';

/** Whether anything enforces a set. `unseen`: it has kernel references, or nobody can say, and no holder was found. */
export interface SetUse {
  readonly use: 'used' | 'unused' | 'unseen';
  /** Rules and lists found. */
  readonly usedBy: number;
}

/** The use of a set from the kernel's number and the newest reading of holders. References 0 is proof of no use. */
export function setUse(name: string, references: number | null, reading: HolderReading | null): SetUse {
  if (references === 0) return { use: 'unused', usedBy: 0 };
  const usedBy = holdersOf(reading, name).length;
  return { use: explainedCount(reading, name) > 0 ? 'used' : 'unseen', usedBy };
}
