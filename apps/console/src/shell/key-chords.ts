/** What a key stroke at page level means. */
export type ChordAct =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'search' }
  | { readonly kind: 'help' }
  | { readonly kind: 'go'; readonly key: string };

/** A key stroke as the page sees it. */
export interface Stroke {
  readonly key: string;
  readonly hasModifier: boolean;
  /** The focus is where letters are text. */
  readonly isTyping: boolean;
}

/** How long a `g` waits for its second key, in ms. */
export const chordMsMax = 1_200;

/**
 * Reads single letters and `g` chords. No single key destroys or programs anything: letters only move about.
 * `isGoing` is whether a `g` was pressed less than 1.2 s ago (`chordMsMax`).
 */
export function readStroke(stroke: Stroke, isGoing: boolean): ChordAct {
  if (stroke.isTyping || stroke.hasModifier) return { kind: 'none' };
  if (isGoing) return { kind: 'go', key: stroke.key };
  if (stroke.key === 'g') return { kind: 'wait' };
  if (stroke.key === '/') return { kind: 'search' };
  if (stroke.key === '?') return { kind: 'help' };
  return { kind: 'none' };
}
