import type { ListedSet, Member, RestoreFailure, SetName } from '@setkeeper/ipset';
import { isNomatch, memberKey } from '@setkeeper/ipset';
import type { RunState } from './run-state.ts';
import { membersAt, type ScriptLine, targetOf } from './script-lines.ts';

/** What a full set is settled with. */
export interface FullSetContext {
  readonly readHeader: (set: SetName) => Promise<ListedSet | 'missing' | null>;
  /** Which of these elements (without `nomatch`) the set holds, each as the kernel has it; null: it cannot be read. */
  readonly readPresent: (set: SetName, wanted: ReadonlySet<string>) => Promise<ReadonlyMap<string, Member> | null>;
}

/** So many adds of a section are asked one by one, a child each, before the set is looked at instead. */
const ASKED_ONE_BY_ONE_MAX = 8;

/**
 * A set that is full refuses every element that it does not hold, and each refusal costs a child: a hundred thousand of
 * them would keep all other sets waiting for minutes. When some were refused, the kernel is asked whether the set is
 * full and what it holds; the rest is settled by that answer, with the kernel's word for the first.
 */
export async function settleFullSet(
  state: RunState,
  line: ScriptLine,
  failure: RestoreFailure,
  { readHeader, readPresent }: FullSetContext,
): Promise<void> {
  const lines = membersAt(line);
  if (lines === null || state.noteFull(line.sectionIndex) < ASKED_ONE_BY_ONE_MAX) return;
  const set = targetOf(line.section, line.step);
  const rest = new Map<string, number>();
  const end = lines.firstLine + lines.members.length;
  for (let next = state.outcomes.nextOpen(line.line + 1); next < end; next = state.outcomes.nextOpen(next + 1)) {
    const member = lines.members[next - lines.firstLine];
    if (member !== undefined) rest.set(memberKey(member), next);
  }
  if (rest.size === 0 || !isFull(await readHeader(set))) return;
  const present = await readPresent(set, new Set(rest.keys()));
  if (present === null) return;
  for (const [key, next] of rest) {
    const wanted = lines.members[next - lines.firstLine];
    const seen = present.get(key);
    if (seen === undefined) state.outcomes.reject(next, failure);
    // Held with the other flag: the add flips it, which needs no room.
    else if (wanted !== undefined && isNomatch(seen) === isNomatch(wanted)) state.outcomes.passOver(next);
  }
}

function isFull(seen: ListedSet | 'missing' | null): boolean {
  if (seen === null || seen === 'missing' || seen.entries === null || seen.header.maxelem === null) return false;
  return seen.entries >= seen.header.maxelem;
}
