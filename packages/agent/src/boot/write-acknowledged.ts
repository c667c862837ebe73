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

/** Does something while the model stays as it is; what changes meanwhile is applied afterwards. */
export type Still = <T>(act: () => Promise<T>) => Promise<T>;

/** What became of writing a set down. `version`: of its ledger, as it was written. `changing`: nothing was written, it changed again and again. */
export type Written =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'unknown' | 'changing' };

/** A set that changes faster than it can be written makes the model wait for it at last. */
const ATTEMPTS_MAX = 3;

/** Writes one set as it was acknowledged at one moment, in pieces between which others have their turn. */
export async function writeAcknowledged(
  set: ManagedSet,
  rules: TextRules,
  sink: TextSink,
  still: Still,
): Promise<Written> {
  const written = await attempt(set, rules, sink);
  // Runs are not begun while the model is still: only the one that is under way can change the set yet.
  return written.kind === 'changing' ? still(() => attempt(set, rules, sink)) : written;
}

async function attempt(set: ManagedSet, rules: TextRules, sink: TextSink): Promise<Written> {
  const mark = sink.mark();
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const { version } = set.ledger;
    let isWhole = true;
    for (const piece of acknowledgedText(set, rules)) {
      await sink.write(piece);
      isWhole = set.ledger.version === version;
      if (!isWhole) break;
    }
    if (isWhole) return sink.mark() === mark ? { kind: 'unknown' } : { kind: 'written', version };
    await sink.rewind(mark);
  }
  return { kind: 'changing' };
}
