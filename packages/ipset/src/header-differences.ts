import type { SetHeader } from './header.ts';

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
  /** `none` for a parameter that is not there; a flag is `yes` or `no`. */
  readonly wanted: string;
  readonly seen: string;
  /** `recreate`: the kernel refuses a swap (type, family). `swap`: a temporary set with the wanted header can take its place. */
  readonly repair: 'swap' | 'recreate';
}

/**
 * What of a set's header as the kernel shows it is not as wanted, the gravest first; empty if it may be kept. Never
 * compared: the name, hashsize, bucketsize and initval (they grow, or differ by version and by creation), and the size
 * of a list (not enforced).
 */
export function headerDifferences(wanted: SetHeader, seen: SetHeader): readonly HeaderDifference[] {
  return COMPARED.flatMap((field) => {
    const difference = { field, wanted: show(wanted[field]), seen: show(seen[field]) };
    if (difference.wanted === difference.seen) return [];
    return [{ ...difference, repair: field === 'type' || field === 'family' ? 'recreate' : 'swap' } as const];
  });
}

const COMPARED: readonly HeaderField[] = [
  'type',
  'family',
  'maxelem',
  'timeout',
  'counters',
  'comment',
  'skbinfo',
  'forceadd',
  'netmask',
  'bitmask',
];

function show(value: string | number | boolean | null): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
