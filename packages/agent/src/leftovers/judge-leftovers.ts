import type { Holder, Leftover } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import { type HolderReading, holdersOf } from '../holders/holder-reading.ts';
import type { HostHeaders } from '../observe/host-observer.ts';
import { type OwnershipRules, type SetOwnership, setOwnership } from '../ownership/set-ownership.ts';

export interface LeftoverRules extends OwnershipRules {
  /**
   * Why no leftover of our own form may go yet: a source that has not spoken, a store that was set aside (invariant 5).
   * Null: they may. Former prefixes do not wait: no source ever speaks of them.
   */
  readonly ownFormWaitsFor: string | null;
  /** Whether a name is on the ignore list (glob patterns of `cleanup.ignore`). */
  readonly isIgnored: (name: string) => boolean;
}

/**
 * Every set of ours that no managed set owns, with whether cleanup may destroy it and why not. In the kernel's order
 * (`list -n`), in which destroying is fast: the kernel finds a set by walking its names. A member that only lists hold
 * goes with them, if all of them go; `isSelected` says which lists may.
 */
export function judgeLeftovers(
  headers: Pick<HostHeaders, 'sets' | 'unreadable'>,
  reading: HolderReading | null,
  rules: LeftoverRules,
  isSelected: (name: string) => boolean = () => true,
): readonly Leftover[] {
  const candidates = headers.sets.flatMap((set) => candidateOf(set, reading, rules));
  const goingLists = new Set<string>();
  for (const { row, set, reason } of candidates) {
    if (reason === null && set.header.type === 'list:set' && isSelected(row.name)) goingLists.add(row.name);
  }
  const rows = candidates.map((candidate) => judged(candidate, goingLists));
  return [...rows, ...headers.unreadable.flatMap(({ name, message }) => unreadableRow(name, message, rules))];
}

interface Candidate {
  readonly set: ListedSet;
  readonly row: Omit<Leftover, 'eligible' | 'reason'>;
  /** Why it may not go whatever else goes; null: nothing stands against it. */
  readonly reason: { readonly text: string; readonly isFinal: boolean } | null;
}

function candidateOf(set: ListedSet, reading: HolderReading | null, rules: LeftoverRules): readonly Candidate[] {
  const { name, type } = set.header;
  const ownership = setOwnership(name, rules);
  const form = leftoverForm(ownership);
  if (form === null) return [];
  const holders = [...holdersOf(reading, name)];
  const ignored = rules.isIgnored(name);
  const row = { name, type, entries: set.entries, references: set.references, holders, form, ignored };
  const final = finalReason(ownership, form, ignored, rules);
  if (final !== null) return [{ set, row, reason: { text: final, isFinal: true } }];
  const held = heldReason(set.references, holders);
  return [{ set, row, reason: held === null ? null : { text: held, isFinal: false } }];
}

function leftoverForm({ owner, form }: SetOwnership): Leftover['form'] | null {
  return owner === 'leftover' || owner === 'temporary' ? form : null;
}

function finalReason(
  { writable }: SetOwnership,
  form: Leftover['form'],
  ignored: boolean,
  rules: LeftoverRules,
): string | null {
  if (!writable) return 'its name cannot be written safely in a restore script; destroy it by hand';
  if (ignored) return 'it is on the ignore list';
  return form === 'former-prefix' ? null : rules.ownFormWaitsFor;
}

function heldReason(references: number | null, holders: readonly Holder[]): string | null {
  if (references === null) return 'this version of ipset does not print references';
  if (references === 0) return null;
  if (holders.length > 0) return `held by ${placesOf(holders)}`;
  return `${references} kernel ${references === 1 ? 'reference' : 'references'} that nothing found explains`;
}

const PLACES_MAX = 5;

function placesOf(holders: readonly Holder[]): string {
  const places = holders.slice(0, PLACES_MAX).map(({ where }) => where);
  return holders.length > PLACES_MAX
    ? `${places.join('; ')} and ${holders.length - PLACES_MAX} more`
    : places.join('; ');
}

function judged({ row, set, reason }: Candidate, goingLists: ReadonlySet<string>): Leftover {
  const { holders } = row;
  const isFreed =
    reason !== null &&
    !reason.isFinal &&
    holders.length > 0 &&
    set.references === holders.length &&
    holders.every(({ kind, where }) => kind === 'list-set' && goingLists.has(where.slice('list '.length)));
  if (reason === null || isFreed) return { ...row, eligible: true };
  return { ...row, eligible: false, reason: reason.text };
}

function unreadableRow(name: string, message: string, rules: LeftoverRules): readonly Leftover[] {
  const form = leftoverForm(setOwnership(name, rules));
  if (form === null) return [];
  const ignored = rules.isIgnored(name);
  const what = { name, type: 'unknown', entries: null, references: null, holders: [], form, ignored };
  return [{ ...what, eligible: false, reason: `it cannot be read: ${message}` }];
}
