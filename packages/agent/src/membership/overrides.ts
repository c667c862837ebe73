import { type Family, type GroupId, isNomatch, type Member, memberKey } from '@setkeeper/ipset';
import type { GroupDelta, OverrideEntry } from './membership.ts';
import { exceptionOf, isInside, type NetworkRange, rangeOf } from './net-override.ts';

/** The overrides of one group in one family. */
export interface OverridesOfGroup {
  readonly group: GroupId;
  readonly family: Family;
  readonly entries: readonly OverrideEntry[];
}

/** One group's overrides, ready to be asked. */
export class GroupOverrides {
  readonly group: GroupId;
  readonly family: Family;
  readonly #byKey: ReadonlyMap<string, readonly OverrideEntry[]>;
  readonly #excluded: readonly NetworkRange[];
  readonly #isNet: boolean;

  constructor({ group, family, entries }: OverridesOfGroup) {
    this.group = group;
    this.family = family;
    this.#byKey = Map.groupBy(entries, ({ member }) => memberKey(member));
    this.#isNet = group.startsWith('net:');
    const excludes = this.#isNet ? entries.filter(({ kind }) => kind === 'exclude') : [];
    this.#excluded = excludes.flatMap(({ member }) => rangeOf(member) ?? []);
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** Whether what stands for a key may differ from what the model says, without an override of that very key. */
  get reachesInside(): boolean {
    return this.#excluded.length > 0;
  }

  /** The member that stands for a key; null for none. Exclude beats add, and both beat the model. */
  effective(key: string, base: Member | null): Member | null {
    const own = this.#byKey.get(key);
    if (own?.some(({ kind }) => kind === 'exclude')) return this.#isNet ? exceptionOf(key) : null;
    if (own !== undefined) return key as Member;
    if (base === null || isNomatch(base) || this.#excluded.length === 0) return base;
    const range = rangeOf(base);
    return range !== undefined && this.#excluded.some((outer) => isInside(range, outer)) ? null : base;
  }

  /** The overrides that are reasons for a member that stands. */
  reasonsFor(member: Member): readonly OverrideEntry[] {
    const wanted = isNomatch(member) ? 'exclude' : 'add';
    return (this.#byKey.get(memberKey(member)) ?? []).filter(({ kind }) => kind === wanted);
  }
}

/** What a change of the model means where overrides stand: base members that came and went, seen through them. */
export function throughOverrides(delta: GroupDelta, overrides: GroupOverrides): GroupDelta | null {
  const before = new Map<string, Member | null>();
  const after = new Map<string, Member | null>();
  for (const member of delta.disappeared) before.set(memberKey(member), member);
  for (const member of delta.appeared) after.set(memberKey(member), member);
  const keys = new Set([...before.keys(), ...after.keys()]);
  return differences(delta.group, delta.family, keys, (key) => [
    overrides.effective(key, before.get(key) ?? null),
    overrides.effective(key, after.get(key) ?? null),
  ]);
}

/** The delta of keys whose member was one thing and is another. */
export function differences(
  group: GroupId,
  family: Family | null,
  keys: Iterable<string>,
  wasAndIs: (key: string) => readonly [Member | null, Member | null],
): GroupDelta | null {
  const appeared = new Set<Member>();
  const disappeared = new Set<Member>();
  for (const key of keys) {
    const [was, is] = wasAndIs(key);
    if (was === is) continue;
    if (was !== null) disappeared.add(was);
    if (is !== null) appeared.add(is);
  }
  return appeared.size + disappeared.size === 0 ? null : { group, family, appeared, disappeared };
}
