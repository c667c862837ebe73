import { type AddressMatch, formatIpv4, matchAddress, memberFromKernel, type SetHeader } from '@setkeeper/ipset';
import type { KernelReader, ReadFault, UnreadableSet } from '../kernel/kernel-reader.ts';
import type { AddressFilter } from './address-filter.ts';

/** What the kernel would decide about an address in one set. */
export interface SetMatch extends AddressMatch {
  readonly header: SetHeader;
}

export interface HostScan {
  /** By set name, in the kernel's order; sets that hold nothing of the address too. */
  readonly matches: ReadonlyMap<string, SetMatch>;
  readonly unreadable: readonly UnreadableSet[];
  readonly fault: ReadFault | null;
}

/**
 * Asks every readable set of the host about an address, from one dump of everything, read now. Lists are decided through
 * their members, as the kernel does. Keeps only elements that have to do with the address.
 */
export async function scanHost(reader: KernelReader, filter: AddressFilter): Promise<HostScan> {
  const sets = new Map<string, { readonly header: SetHeader; readonly members: string[] }>();
  let current: { readonly header: SetHeader; readonly members: string[] } | null = null;
  const reading = await reader.everything({
    onSet: (header) => {
      current = { header, members: [] };
      sets.set(header.name, current);
    },
    onMember: (_name, element, options) => {
      if (current === null) return;
      const { header, members } = current;
      const member = memberFromKernel(header.type, header.family, element, options?.nomatch ?? false);
      if (header.type === 'list:set' || filter.takes(member, header)) members.push(member);
    },
    onIpv4: (_name, address, prefixLength) => {
      if (current === null) return;
      const { header, members } = current;
      const hasMask = header.netmask !== null || header.bitmask !== null;
      if (!hasMask && !filter.takesIpv4(address, prefixLength)) return;
      members.push(prefixLength === 32 ? formatIpv4(address) : `${formatIpv4(address)}/${prefixLength}`);
    },
    onAnomaly: () => {},
  });
  if (!reading.ok) return { matches: new Map(), unreadable: [], fault: reading.fault };
  const matches = new Map<string, SetMatch>();
  for (const [name, { header, members }] of sets) {
    matches.set(name, { ...matchAddress(filter.address, header, members, (member) => sets.get(member)), header });
  }
  return { matches, unreadable: reading.unreadable ?? [], fault: null };
}
