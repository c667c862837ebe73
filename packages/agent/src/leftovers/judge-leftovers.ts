import type { Leftover } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import type { HolderReading } from '../holders/holder-reading.ts';
import { holdersOf } from '../holders/holder-reading.ts';
import { type OwnershipRules, setOwnership } from '../ownership/set-ownership.ts';

export interface LeftoverRules extends OwnershipRules {
  /** Sources that have not spoken yet: while there are any, no leftover of our own form may go (invariant 5). */
  readonly waitingForSources: readonly string[];
  /** Whether a name is on the ignore list (glob patterns of `cleanup.ignore`). */
  readonly isIgnored: (name: string) => boolean;
}

/**
 * Every set of ours that no managed set owns, with whether cleanup may destroy it and why not. In the kernel's order (`list -n`), in
 * which destroying is fast: the kernel finds a set by walking its names.
 */
export function judgeLeftovers(
  sets: readonly ListedSet[],
  reading: HolderReading | null,
  rules: LeftoverRules,
): readonly Leftover[] {
  const held = listMembersOf(reading);
  const rows: Leftover[] = [];
  const going = new Set<string>();
  for (const set of sets) {
    const { name } = set.header;
    const ownership = setOwnership(name, rules);
    if (ownership.form === null || (ownership.owner !== 'leftover' && ownership.owner !== 'temporary')) continue;
    const holders = [...holdersOf(reading, name)];
    const ignored = rules.isIgnored(name);
    const reason = reasonToKeep({ set, holders, ignored, form: ownership.form, writable: ownership.writable }, rules);
    if (reason === undefined) going.add(name);
    rows.push({
      name,
      type: set.header.type,
      entries: set.entries,
      references: set.references,
      eligible: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      holders,
      form: ownership.form,
      ignored,
    });
  }
  return freeMembersOfGoingLists(rows, going, held);
}

interface Candidate {
  readonly set: ListedSet;
  readonly holders: Leftover['holders'];
  readonly ignored: boolean;
  readonly form: Leftover['form'];
  readonly writable: boolean;
}

function reasonToKeep(candidate: Candidate, rules: LeftoverRules): string | undefined {
  const { set, holders, ignored, form, writable } = candidate;
  if (!writable) return 'its name cannot be written safely in a restore script; destroy it by hand';
  if (ignored) return 'it is on the ignore list';
  if (form === 'own' && rules.waitingForSources.length > 0) {
    return `not every source has spoken: waiting for ${rules.waitingForSources.join(', ')}`;
  }
  const { references } = set;
  if (holders.length > 0) return `held by ${holders.map((holder) => holder.where).join('; ')}`;
  if (references === null) return 'this version of ipset does not print references';
  if (references > 0)
    return `${references} kernel ${references === 1 ? 'reference' : 'references'} that nothing found explains`;
  return undefined;
}

/** Set name -> the lists that hold it. */
function listMembersOf(reading: HolderReading | null): ReadonlyMap<string, readonly string[]> {
  const held = new Map<string, readonly string[]>();
  for (const [name, holders] of reading?.holders ?? []) {
    const lists = holders
      .filter((holder) => holder.kind === 'list-set')
      .map((holder) => holder.where.slice('list '.length));
    if (lists.length > 0 && lists.length === holders.length) held.set(name, lists);
  }
  return held;
}

/** A member held only by lists that go in the same cleanup goes too: lists are destroyed before their members. */
function freeMembersOfGoingLists(
  rows: readonly Leftover[],
  going: ReadonlySet<string>,
  held: ReadonlyMap<string, readonly string[]>,
): readonly Leftover[] {
  return rows.map((row) => {
    const lists = held.get(row.name);
    if (row.eligible || row.ignored || lists === undefined || row.references !== lists.length) return row;
    if (!lists.every((list) => going.has(list))) return row;
    const { reason: _held, ...rest } = row;
    return { ...rest, eligible: true };
  });
}
