import type { SetName } from './set-name.ts';

export type AnomalyKind =
  /** The output ends inside a line, a comment or a header: what was read is not all there is. */
  | 'truncated'
  /** A line that is none of the forms ipset prints. */
  | 'unreadable-line'
  /** A member of a set that this output has not introduced (or, in a dump, not just introduced). */
  | 'unknown-set'
  /** A set that is introduced twice. */
  | 'duplicate-set';

/** Something in ipset's output that is not content. Output with any anomaly is not the whole truth. */
export interface Anomaly {
  readonly kind: AnomalyKind;
  /** 1-based line of the output. */
  readonly line: number;
  /** At most 200 characters of it. */
  readonly text: string;
  readonly set: SetName | null;
}
