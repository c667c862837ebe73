import type { Member } from '@setkeeper/ipset';
import type { DocumentNode } from '../document-node.ts';
import { readFields } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { Host } from '../objects.ts';
import { readAddress } from './addresses.ts';

/** The JSON form of a host, as documents write it. */
export interface HostJson {
  readonly ipv4?: string;
  readonly ipv6?: string;
}

/** Reads `{ ipv4: ADDRESS, ipv6: ADDRESS }`, either of which may be absent. */
export function readHost(id: string, node: DocumentNode, draft: ObjectDraft): Host {
  const fields = readFields(node, ['ipv4', 'ipv6'], draft);
  return {
    kind: 'host',
    id,
    ipv4: readAddress(fields?.get('ipv4'), 'inet', draft),
    ipv6: readAddress(fields?.get('ipv6'), 'inet6', draft),
  };
}

export const hostJson = ({ ipv4, ipv6 }: Host): HostJson => ({
  ...(ipv4 === null ? {} : { ipv4 }),
  ...(ipv6 === null ? {} : { ipv6 }),
});

export const hostOf = (id: string, json: HostJson): Host => ({
  kind: 'host',
  id,
  ipv4: (json.ipv4 ?? null) as Member | null,
  ipv6: (json.ipv6 ?? null) as Member | null,
});
