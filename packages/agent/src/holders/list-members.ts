import type { Holder, Unreadable } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import { shellCommand } from './shell-word.ts';

/** Which sets the lists of the host hold. */
export interface ListMembersReading {
  readonly holders: readonly (readonly [set: string, holder: Holder])[];
  readonly unreadable: readonly Unreadable[];
  /** Members of lists that have expired and are not collected yet: each holds a set, nobody shows which, for up to about 30 s (KERNEL.md section 4). */
  readonly expired: number;
}

/** With more lists than this, one reading of everything is cheaper than a process a list. */
const LISTS_ONE_BY_ONE_MAX = 64;

/** Reads the members of every list that is not empty. */
export async function readListMembers(reader: KernelReader, sets: readonly ListedSet[]): Promise<ListMembersReading> {
  const lists = sets.filter((set) => set.header.type === 'list:set' && set.entries !== 0);
  const holders: (readonly [string, Holder])[] = [];
  const unreadable: Unreadable[] = [];
  const counts = new Map<string, number>();
  const names = new Set<string>(lists.map((list) => list.header.name));
  const visitor = {
    onSet: () => {},
    onMember: (list: string, element: string) => {
      if (!names.has(list)) return;
      counts.set(list, (counts.get(list) ?? 0) + 1);
      holders.push([element, listHolder(list, element)]);
    },
    onIpv4: () => {},
    onAnomaly: () => {},
  };
  const cannot = (what: string, why: string): void => {
    unreadable.push({ what, why, remedy: 'It is read again later.' });
  };
  if (lists.length > LISTS_ONE_BY_ONE_MAX) {
    const reading = await reader.everything(visitor);
    if (!reading.ok) cannot('members of lists', reading.fault.message);
    else
      for (const { name, message } of reading.unreadable ?? [])
        if (names.has(name)) cannot(`members of ${name}`, message);
  } else {
    for (const { header } of lists) {
      const reading = await reader.members(header.name, visitor);
      if (!reading.ok && reading.fault.code !== 'set-missing')
        cannot(`members of ${header.name}`, reading.fault.message);
    }
  }
  const expired = lists
    .filter(({ header }) => header.timeout !== null)
    .reduce((sum, { header, entries }) => sum + Math.max(0, (entries ?? 0) - (counts.get(header.name) ?? 0)), 0);
  return { holders, unreadable, expired };
}

/** The list's name stands in `where` alone; a name that looks like an option cannot be given to ipset. */
function listHolder(list: string, element: string): Holder {
  const isSpeakable = !list.startsWith('-') && !element.startsWith('-') && element !== '';
  return {
    kind: 'list-set',
    where: `list ${list}`,
    count: 1,
    ...(isSpeakable ? { removeWith: shellCommand('ipset', 'del', list, element) } : {}),
  };
}
