import type { Family, GroupId, Member, SetHeader, SetName } from '@setkeeper/ipset';

/** Lower-case SHA-256 of a plan: what an operator confirms, and what a stale confirmation is refused by. */
export type Digest = string & { readonly __brand: 'Digest' };

/** What a plan does to one set. Its operations, in this order:
 * `create`: (destroy, if `recreate`,) create, adds. `delta`: create (primes the child's type cache), dels, adds.
 * `rewrite`: create temp, adds to temp, create main if absent, swap, destroy temp.
 * `destroy`: destroy.
 * `members` of a list:set are set names as Member. All members are kernel elements in ascending canonical order. */
export interface Section {
  /** Null: a leftover or temporary set. */
  readonly group: GroupId | null;
  readonly family: Family | null;
  readonly set: SetName;
  readonly how: 'delta' | 'create' | 'rewrite' | 'destroy';
  /** Null only for `destroy`. */
  readonly header: SetHeader | null;
  /** The temporary set of a rewrite. */
  readonly temp: SetName | null;
  /** Whether main must be created before the swap (rewrite only). */
  readonly createMain: boolean;
  /** `create` only: an unused set of another type or family has this name and is destroyed first. If that is refused, the rest of the section is skipped. */
  readonly recreate?: boolean;
  readonly dels: readonly Member[];
  readonly adds: readonly Member[];
  /** Counts of logical members before and after, for people. */
  readonly before: number;
  readonly after: number;
}

/** Typed operations on sets and their exact restore script. Order: hash sets, then lists, then destroys (lists before their members). */
export interface Plan {
  /** Costs O(lines) when first asked for. */
  readonly digest: Digest;
  readonly modelRevision: number;
  readonly sections: readonly Section[];
  /** Lines of the whole script. */
  readonly lines: number;
}
