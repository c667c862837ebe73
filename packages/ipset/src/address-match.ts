import type { SetHeader } from './header.ts';
import type { IpAddress } from './ip-address.ts';

export interface AddressMatch {
  readonly matched: boolean;
  /** Not matched, because the longest fitting network is a `nomatch` one. */
  readonly excluded: boolean;
  /** The elements that decided; for a list the names of the member sets. */
  readonly by: readonly string[];
}

/** A set as a list's member: its header and its members in canonical text. */
export interface MatchableSet {
  readonly header: SetHeader;
  readonly members: Iterable<string>;
}

export function matchAddress(
  _address: IpAddress | string,
  _header: SetHeader,
  _members: Iterable<string>,
  _lookup?: (name: string) => MatchableSet | undefined,
): AddressMatch {
  throw new Error('not written yet');
}
