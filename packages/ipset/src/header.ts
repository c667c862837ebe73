import type { Family } from './family.ts';
import type { SetName } from './set-name.ts';

/**
 * What a set is created with, and what the kernel says it has. `null`: the set has no such parameter, or the output did
 * not say.
 */
export interface SetHeader {
  readonly name: SetName;
  readonly type: string;
  readonly family: Family | null;
  readonly maxelem: number | null;
  readonly hashsize: number | null;
  /** Default timeout in seconds; 0 is "timeouts are supported, members stay by default"; null is "no timeouts". */
  readonly timeout: number | null;
  readonly counters: boolean;
  readonly comment: boolean;
  readonly skbinfo: boolean;
  readonly forceadd: boolean;
  /** A prefix length as the kernel prints it, such as `24`. */
  readonly netmask: string | null;
  /** An address as the kernel prints it, such as `255.255.0.255`. */
  readonly bitmask: string | null;
  /** `list:set` only. */
  readonly size: number | null;
  /** Every word of the header as printed, unknown ones too; a flag has the value ''. */
  readonly raw: ReadonlyMap<string, string>;
}
