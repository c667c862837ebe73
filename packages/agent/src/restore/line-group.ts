/** A line of a child's input that is no operation of the plan. */
export type Service =
  /** The acknowledgement: `list -n` of a set of ours. */
  | { readonly kind: 'acknowledge' }
  /** The section's create once more, for a child that goes on in the middle of it: it primes the type cache. */
  | { readonly kind: 'prime'; readonly sectionIndex: number }
  /** Frees a temporary set that an interrupted attempt at this section may have left. */
  | { readonly kind: 'clear-temp'; readonly sectionIndex: number }
  /** Creates main again that somebody destroyed before its swap. */
  | { readonly kind: 'mend-main'; readonly sectionIndex: number };

/** Lines that are acknowledged together. */
export interface LineGroup {
  readonly text: string;
  /** By position in the group: the plan's line (from 0), or what else it is. The last one is the acknowledgement. */
  readonly lines: readonly (number | Service)[];
  /** The plan's lines that are settled when the group is acknowledged: up to `to`. */
  readonly from: number;
  readonly to: number;
}

/** A group under way: `firstLine` is its first line's number (from 1) in its child's input. */
export interface GroupUnderWay extends LineGroup {
  readonly firstLine: number;
}
