import type { Family } from './family.ts';
import type { SetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/** What a set is created with, and what the kernel says it has. `null`: the set has no such parameter, or the output did not say. */
export interface SetHeader {
  readonly name: SetName;
  readonly type: string;
  readonly family: Family | null;
  readonly maxelem: number | null;
  readonly hashsize: number | null;
  /** Default timeout in seconds; 0 is "supported, permanent"; null is "no timeout support". */
  readonly timeout: number | null;
  readonly counters: boolean;
  readonly comment: boolean;
  readonly skbinfo: boolean;
  readonly forceadd: boolean;
  readonly netmask: string | null;
  readonly bitmask: string | null;
  /** `list:set` only. */
  readonly size: number | null;
  /** Every word of the header as printed, unknown ones too; a flag has the value ''. */
  readonly raw: ReadonlyMap<string, string>;
}

export type HeaderField =
  | 'type'
  | 'family'
  | 'maxelem'
  | 'timeout'
  | 'counters'
  | 'comment'
  | 'skbinfo'
  | 'forceadd'
  | 'netmask'
  | 'bitmask';

export interface HeaderDifference {
  readonly field: HeaderField;
  readonly wanted: string;
  readonly seen: string;
  /** `recreate`: the kernel refuses a swap (type, family). `swap`: a temporary set can take its place. */
  readonly repair: 'swap' | 'recreate';
}

export function desiredHeader(_o: {
  readonly name: SetName;
  readonly type: ManagedType;
  readonly family: Family | null;
  readonly maxelem: number;
  readonly members: number;
}): SetHeader {
  throw new Error('not written yet');
}

export function headerDifferences(_wanted: SetHeader, _seen: SetHeader): readonly HeaderDifference[] {
  throw new Error('not written yet');
}
