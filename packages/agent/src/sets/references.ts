import type { GroupId } from '@setkeeper/ipset';

/** Who needs a group in the kernel, and since when (milliseconds since 1970). */
export interface NamedReference {
  readonly referrer: string;
  readonly since: number;
}

/**
 * The named references: documents that are for this host, lists, operators' pins. Each referrer names a whole set of
 * groups at a time. Never a bare count: whoever needs a group can be shown.
 */
export class References {
  readonly #groupsOf = new Map<string, ReadonlySet<GroupId>>();
  readonly #referrersOf = new Map<GroupId, Map<string, number>>();
  #revision = 0;

  /** Counts up when a reference comes or goes. */
  get revision(): number {
    return this.#revision;
  }

  /** A referrer names exactly these groups from now on; none: it is gone. Gives back the groups whose referrers changed. A reference that stays keeps its `since`. */
  set(
    referrer: string,
    groups: Iterable<GroupId>,
    at: number,
    since?: ReadonlyMap<GroupId, number>,
  ): readonly GroupId[] {
    const before = this.#groupsOf.get(referrer) ?? new Set<GroupId>();
    const after = new Set(groups);
    const changed: GroupId[] = [];
    for (const group of before) {
      if (after.has(group)) continue;
      const referrers = this.#referrersOf.get(group);
      referrers?.delete(referrer);
      if (referrers?.size === 0) this.#referrersOf.delete(group);
      changed.push(group);
    }
    for (const group of after) {
      if (before.has(group)) continue;
      const referrers = this.#referrersOf.get(group) ?? new Map<string, number>();
      referrers.set(referrer, since?.get(group) ?? at);
      this.#referrersOf.set(group, referrers);
      changed.push(group);
    }
    if (after.size === 0) this.#groupsOf.delete(referrer);
    else this.#groupsOf.set(referrer, after);
    if (changed.length > 0) this.#revision++;
    return changed;
  }

  isReferenced(group: GroupId): boolean {
    return this.#referrersOf.has(group);
  }

  /** Sorted by referrer. */
  of(group: GroupId): readonly NamedReference[] {
    return [...(this.#referrersOf.get(group) ?? [])]
      .map(([referrer, since]) => ({ referrer, since }))
      .sort((a, b) => (a.referrer < b.referrer ? -1 : 1));
  }

  /** What a referrer names, with the time of each. */
  namedBy(referrer: string): ReadonlyMap<GroupId, number> {
    const named = new Map<GroupId, number>();
    for (const group of this.#groupsOf.get(referrer) ?? []) {
      named.set(group, this.#referrersOf.get(group)?.get(referrer) ?? 0);
    }
    return named;
  }

  referrers(): Iterable<string> {
    return this.#groupsOf.keys();
  }

  groups(): Iterable<GroupId> {
    return this.#referrersOf.keys();
  }
}
