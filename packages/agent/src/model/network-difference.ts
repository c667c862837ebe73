import { type NetworkJson, networkJson } from './kinds/network.ts';
import { objectOfText } from './object-text.ts';
import type { ObjectKey } from './objects.ts';

/** What a change took into a network and out of it; exceptions carry ` nomatch`. */
export interface NetworkDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Characters of a text that is compared: some 30,000 networks, which takes some tens of milliseconds. */
const COMPARED_MAX = 500_000;

/**
 * The difference of two texts of a network as a text of its own, for a history that cannot keep each whole; null where
 * comparing them would take too long. The other fields of a network are left out.
 */
export function networkDifferenceText(key: ObjectKey, before: string, after: string): string | null {
  if (before.length + after.length > 2 * COMPARED_MAX) return null;
  const [old, now] = [entriesOf(key, before), entriesOf(key, after)];
  const difference: NetworkDifference = {
    added: [...now].filter((entry) => !old.has(entry)),
    removed: [...old].filter((entry) => !now.has(entry)),
  };
  return JSON.stringify(difference);
}

/** The difference that a text of `networkDifferenceText` says; null for any other text, and for one that was cut. */
export function networkDifferenceOf(text: string): NetworkDifference | null {
  if (!text.startsWith('{"added":[')) return null;
  try {
    return JSON.parse(text) as NetworkDifference;
  } catch {
    // Cut at the store's limit: what it says cannot be told.
    return null;
  }
}

function entriesOf(key: ObjectKey, text: string): ReadonlySet<string> {
  const object = objectOfText(key, text);
  if (object.kind !== 'network') return new Set();
  const { nets, except = [] }: NetworkJson = networkJson(object);
  return new Set([...nets, ...except.map((net) => `${net} nomatch`)]);
}
