import type { ManagedSet } from '../sets/managed-set.ts';
import { acknowledgedText, type TextRules } from './acknowledged-text.ts';

/** Where text goes. It can go back, because a set that changes while it is written is written again. */
export interface TextSink {
  write(text: string): Promise<void>;
  /** Where the text ends now. */
  mark(): number;
  /** Takes back everything behind a mark. */
  rewind(mark: number): Promise<void>;
}

/** A set that changes faster than it can be written in pieces is at last written in one go, which others wait for. */
const ATTEMPTS_MAX = 4;

/**
 * Writes one set as it was acknowledged at one moment. Gives back the version of the ledger that was written; null where
 * its content is not known, and nothing was written.
 */
export async function writeAcknowledged(set: ManagedSet, rules: TextRules, sink: TextSink): Promise<number | null> {
  const mark = sink.mark();
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    const { version } = set.ledger;
    let isWhole = true;
    for (const piece of acknowledgedText(set, rules)) {
      await sink.write(piece);
      isWhole = set.ledger.version === version;
      if (!isWhole) break;
    }
    // Nothing written: there was nothing to write, at this very moment.
    if (isWhole) return sink.mark() === mark ? null : version;
    await sink.rewind(mark);
  }
  const { version } = set.ledger;
  const pieces = [...acknowledgedText(set, rules)];
  for (const piece of pieces) await sink.write(piece);
  return pieces.length === 0 ? null : version;
}
