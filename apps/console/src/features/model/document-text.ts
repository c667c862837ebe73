import type { EndpointRow, ListRow, ProfileRow } from '../../client/api-types.ts';

/** An endpoint as a document that declares it. JSON is YAML too, and needs no quoting rules. */
export function endpointDocument(row: EndpointRow): string {
  const body = {
    profiles: row.profiles,
    ...(row.ipv4.length === 0 ? {} : { ipv4: row.ipv4 }),
    ...(row.ipv6.length === 0 ? {} : { ipv6: row.ipv6 }),
    ...(Object.keys(row.ports).length === 0 ? {} : { ports: row.ports }),
    ...(row.note === undefined ? {} : { note: row.note }),
  };
  return `${JSON.stringify({ endpoints: { [row.id]: body } }, null, 2)}\n`;
}

/** A profile as a document that declares it. */
export function profileDocument(row: ProfileRow): string {
  return `${JSON.stringify({ profiles: { [row.id]: { tags: row.tags } } }, null, 2)}\n`;
}

/** A list as a document that declares it. */
export function listDocument(row: ListRow): string {
  const body = { members: row.members, ...(row.note === undefined ? {} : { note: row.note }) };
  return `${JSON.stringify({ lists: { [row.id]: body } }, null, 2)}\n`;
}
