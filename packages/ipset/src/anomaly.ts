import type { SetName } from './set-name.ts';

export type AnomalyKind =
  /** The output ends inside a line, a comment or a header: what was read is not all there is. */
  | 'truncated'
  /** A line that is none of the forms ipset prints. */
  | 'unreadable-line'
  /** A member of a set that this output has not introduced (in a dump: not just introduced). */
  | 'unknown-set'
  /** A set that is introduced twice. */
  | 'duplicate-set';

/** Something in ipset's output that is not content. Output with any anomaly is not the whole truth, and never deletion. */
export interface Anomaly {
  readonly kind: AnomalyKind;
  /** 1-based line of the output. */
  readonly line: number;
  /** At most 200 characters of it. */
  readonly text: string;
  /** The set in whose members it stands, if any. */
  readonly set: SetName | null;
}

/** An anomaly with its text cut to size. */
export const anomaly = (kind: AnomalyKind, line: number, text: string, set: SetName | null): Anomaly => ({
  kind,
  line,
  text: text.slice(0, 200),
  set,
});
