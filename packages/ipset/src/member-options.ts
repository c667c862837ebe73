/** What stands behind an element in `save` and `list` output. */
export interface MemberOptions {
  readonly nomatch: boolean;
  readonly wildcard: boolean;
  /** Seconds left; 0 is permanent; null where the set has no timeouts. */
  readonly timeout: number | null;
  /** Exact up to 2^64-1. */
  readonly packets: bigint | null;
  readonly bytes: bigint | null;
  /** The comment's bytes, one char a byte (latin1), so that it round-trips; `commentText` makes it readable. */
  readonly comment: string | null;
  readonly skbmark: string | null;
  readonly skbprio: string | null;
  readonly skbqueue: string | null;
}
