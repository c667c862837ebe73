import type { KernelSet } from '@setkeeper/api';
import { foreignOwnerByName, type ListedSet } from '@setkeeper/ipset';
import type { HostHeaders } from '../observe/host-observer.ts';
import { type OwnershipRules, type SetOwnership, setOwnership } from './set-ownership.ts';

/** What a row needs to know besides the headers. */
export interface RowContext extends OwnershipRules {
  /** Native sets of firewalld's nftables table (`HolderReading.firewalldSets`). */
  readonly firewalldSets: ReadonlySet<string>;
}

/** Every set of the host as a row of `kernel`, in the kernel's order; sets that ipset cannot read at the end. A row is made when it is asked for. */
export function* kernelRows(headers: HostHeaders, context: RowContext): Generator<KernelSet> {
  for (const set of headers.sets) yield kernelRow(set, context);
  for (const { name, message } of headers.unreadable) {
    yield {
      name,
      type: 'unknown',
      family: null,
      entries: null,
      references: null,
      memoryBytes: null,
      readable: false,
      unreadableWhy: message,
      ...ownedBy(name, setOwnership(name, context)),
    };
  }
}

function kernelRow(set: ListedSet, context: RowContext): KernelSet {
  const { name, type, family } = set.header;
  const ownership = setOwnership(name, context);
  const note = noteOf(set, ownership, context);
  return {
    name,
    type,
    family,
    entries: set.entries,
    references: set.references,
    memoryBytes: set.memoryBytes,
    readable: true,
    ...ownedBy(name, ownership),
    ...(note === undefined ? {} : { note }),
  };
}

function ownedBy(
  name: string,
  { owner, group, prefixShared }: SetOwnership,
): Pick<KernelSet, 'owner' | 'byName' | 'group' | 'prefixShared'> {
  const byName = owner === 'foreign' ? foreignOwnerByName(name) : undefined;
  return {
    owner,
    ...(byName === undefined ? {} : { byName }),
    ...(group === undefined ? {} : { group }),
    ...(prefixShared ? { prefixShared: true } : {}),
  };
}

function noteOf(set: ListedSet, { prefixShared }: SetOwnership, context: RowContext): string | undefined {
  const { name } = set.header;
  if (set.references === 0 && context.firewalldSets.has(name)) return FIREWALLD_NOTE;
  if (prefixShared)
    return `it begins with ${context.prefix} but is none of Setkeeper's forms: never written, never cleaned`;
  return undefined;
}

/** firewalld with `FirewallBackend=nftables` (its default) makes native sets for its `--ipset`s. */
export const FIREWALLD_NOTE = 'firewalld filters by its own nftables set of the same name; this ipset enforces nothing';
