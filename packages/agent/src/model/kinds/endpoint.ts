import { isPortName, type Member } from '@setkeeper/ipset';
import type { DocumentEntry, DocumentNode } from '../document-node.ts';
import { readFields, readIds, readMapping, readNote, readText } from '../fields.ts';
import type { ObjectDraft } from '../object-draft.ts';
import type { Endpoint, NamedPort } from '../objects.ts';
import { visibleText } from '../visible-text.ts';
import { readAddresses } from './addresses.ts';

/** The JSON form of an endpoint, as documents write it; what is empty or usual is left out. */
export interface EndpointJson {
  readonly profiles?: readonly string[];
  readonly ipv4?: readonly string[];
  readonly ipv6?: readonly string[];
  readonly ports?: Readonly<Record<string, string>>;
  readonly active?: false;
  readonly note?: string;
}

/** Reads an endpoint. `active: false` keeps it in the model without owning anything. */
export function readEndpoint(id: string, node: DocumentNode, draft: ObjectDraft): Endpoint {
  const fields = readFields(node, ['profiles', 'ipv4', 'ipv6', 'ports', 'active', 'note'], draft);
  const note = readNote(fields?.get('note'), draft);
  return {
    kind: 'endpoint',
    id,
    profiles: readIds(fields?.get('profiles'), draft, '.profiles'),
    ipv4: readAddresses(fields?.get('ipv4'), 'inet', draft),
    ipv6: readAddresses(fields?.get('ipv6'), 'inet6', draft),
    ports: readPorts(fields?.get('ports'), draft),
    active: readActive(fields?.get('active'), draft),
    ...(note === undefined ? {} : { note }),
  };
}

/** The document form; ports in order of their names. */
export function endpointJson(endpoint: Endpoint): EndpointJson {
  const { profiles, ipv4, ipv6, ports, active, note } = endpoint;
  return {
    ...(profiles.length === 0 ? {} : { profiles }),
    ...(ipv4.length === 0 ? {} : { ipv4 }),
    ...(ipv6.length === 0 ? {} : { ipv6 }),
    ...(ports.size === 0 ? {} : { ports: portsJson(ports) }),
    ...(active ? {} : { active: false }),
    ...(note === undefined ? {} : { note }),
  };
}

export function endpointOf(id: string, json: EndpointJson): Endpoint {
  return {
    kind: 'endpoint',
    id,
    profiles: json.profiles ?? [],
    ipv4: (json.ipv4 ?? []) as readonly Member[],
    ipv6: (json.ipv6 ?? []) as readonly Member[],
    ports: json.ports === undefined ? NO_PORTS : portsOf(json.ports),
    active: json.active ?? true,
    ...(json.note === undefined ? {} : { note: json.note }),
  };
}

/** `tcp:8080`, or why the text is no port. */
export function parseNamedPort(text: string): NamedPort | string {
  const match = /^(tcp|udp|sctp):([1-9][0-9]{0,4})$/u.exec(text);
  const port = Number(match?.[2]);
  if (match !== null && port <= 65535) return { protocol: match[1] as NamedPort['protocol'], port };
  return `"${visibleText(text, 40)}" is not PROTOCOL:PORT with tcp, udp or sctp and a port from 1 to 65535`;
}

const NO_PORTS: ReadonlyMap<string, NamedPort> = new Map();

function readPorts(entry: DocumentEntry | undefined, draft: ObjectDraft): ReadonlyMap<string, NamedPort> {
  if (entry === undefined) return NO_PORTS;
  const ports: [string, NamedPort][] = [];
  for (const { key, at, value } of readMapping(entry.value, draft, '.ports')?.values() ?? []) {
    const place = `.ports.${key}`;
    if (!isPortName(key)) draft.error(at, place, 'the name of a port is 1 to 63 of A-Z a-z 0-9 _ . -');
    const text = readText(value, draft, place);
    const port = text === null ? null : parseNamedPort(text);
    if (typeof port === 'string') draft.error(value.at, place, port);
    else if (port !== null) ports.push([key, port]);
  }
  return new Map(ports.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readActive(entry: DocumentEntry | undefined, draft: ObjectDraft): boolean {
  if (entry === undefined) return true;
  const { value } = entry;
  if (value.kind === 'scalar' && value.isPlain && (value.text === 'true' || value.text === 'false')) {
    return value.text === 'true';
  }
  draft.error(value.at, '.active', 'expected true or false');
  return true;
}

/** Made through entries, so that a port named `__proto__` is a port. */
const portsJson = (ports: ReadonlyMap<string, NamedPort>): Readonly<Record<string, string>> =>
  Object.fromEntries([...ports].map(([name, { protocol, port }]) => [name, `${protocol}:${port}`]));

function portsOf(json: Readonly<Record<string, string>>): ReadonlyMap<string, NamedPort> {
  const ports = new Map<string, NamedPort>();
  for (const [name, text] of Object.entries(json)) {
    const port = parseNamedPort(text);
    if (typeof port !== 'string') ports.set(name, port);
  }
  return ports;
}
