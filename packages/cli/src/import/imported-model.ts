import { canonicalMember, checkId, type Family } from '@setkeeper/ipset';
import { harmless } from '../output/harmless.ts';
import type { SavedMember, SavedSet } from './saved-sets.ts';

/** A network of a network, or a group of a list, with the comment it had in its set. */
export interface ImportedEntry {
  readonly text: string;
  readonly comment: string | null;
}

/** An address with one port, which the model says by an endpoint. */
export interface ImportedEndpoint {
  readonly id: string;
  readonly profile: string;
  readonly family: Family;
  readonly address: string;
  readonly port: string;
  readonly comment: string | null;
}

/** What could not be said in the model as it was, and what becomes of it. */
export interface NotExpressed {
  readonly set: string;
  readonly type: string;
  /** The member or parameter; absent: the whole set. */
  readonly what?: string;
  /** How many members it concerns. */
  readonly count: number;
  readonly reason: string;
}

/** The model behind saved sets. */
export interface ImportedModel {
  readonly networks: ReadonlyMap<
    string,
    { readonly nets: readonly ImportedEntry[]; readonly except: readonly ImportedEntry[] }
  >;
  readonly endpoints: readonly ImportedEndpoint[];
  readonly lists: ReadonlyMap<string, readonly ImportedEntry[]>;
  /** Set name to the group it became. */
  readonly groups: ReadonlyMap<string, string>;
  readonly notExpressed: readonly NotExpressed[];
}

/** The one name that every port of an imported hash:ip,port set gets. */
const portName = 'port';

/**
 * Says saved sets in the words of the model: sets of addresses and of networks become networks, sets of addresses with
 * ports become endpoints of one profile, sets of sets become lists. Nothing is left out without an entry in
 * `notExpressed`.
 */
export function importedModel(sets: readonly SavedSet[]): ImportedModel {
  const networks = new Map<string, { nets: ImportedEntry[]; except: ImportedEntry[] }>();
  const endpoints: ImportedEndpoint[] = [];
  const lists = new Map<string, readonly ImportedEntry[]>();
  const groups = new Map<string, string>();
  const notExpressed: NotExpressed[] = [];
  const ids = new Set<string>();

  const report = (set: SavedSet, reason: string, count: number, what?: string): void => {
    notExpressed.push({
      set: set.header.name,
      type: set.header.type,
      count,
      reason,
      ...(what === undefined ? {} : { what }),
    });
  };

  for (const set of sets) {
    const { header } = set;
    if (header.type === 'list:set') continue;
    const id = freeId(header.name, ids);
    if (id !== header.name) report(set, `its name cannot be an id of the model: it is called ${id}`, 0, 'name');
    if (header.type === 'hash:ip,port') {
      reportParameters(set, report);
      endpoints.push(...endpointsOf(set, id, report));
      groups.set(header.name, `port:${id}/${portName}`);
    } else if (isAddressType(header.type) && header.bitmask === null) {
      reportParameters(set, report);
      networks.set(id, networkOf(set, report));
      groups.set(header.name, `net:${id}`);
    } else {
      const why = header.bitmask === null ? `the model has no sets of type ${header.type}` : 'the model has no bitmask';
      report(set, why, set.members.length);
    }
  }
  for (const set of sets) {
    if (set.header.type !== 'list:set') continue;
    const id = freeId(set.header.name, ids);
    if (id !== set.header.name) report(set, `its name cannot be an id of the model: it is called ${id}`, 0, 'name');
    reportParameters(set, report);
    lists.set(id, listOf(set, groups, report));
    groups.set(set.header.name, `list:${id}`);
  }
  return { networks, endpoints, lists, groups, notExpressed };
}

/** The room that a set gets where nothing else is configured (`sets.maxelem`). */
const MAXELEM_USUAL = 1_048_576;

type Report = (set: SavedSet, reason: string, count: number, what?: string) => void;

const isAddressType = (type: string): boolean => type === 'hash:ip' || type === 'hash:net' || type === 'bitmap:ip';

/** A set's name as an id of the model: as it is where the rule for ids allows it. */
function freeId(name: string, ids: Set<string>): string {
  const base = checkId(name) === undefined ? name : harmless(name).normalize('NFC');
  let id = base;
  for (let n = 2; ids.has(id); n += 1) id = `${base}-${n}`;
  ids.add(id);
  return id;
}

function reportParameters(set: SavedSet, report: Report): void {
  const { header, members } = set;
  const temporary = members.filter((member) => (member.timeout ?? 0) > 0).length;
  if (temporary > 0) report(set, 'members with a timeout become permanent', temporary, 'timeout');
  else if (header.timeout !== null) report(set, 'the model has no timeouts', 0, 'timeout');
  if (header.counters) report(set, 'the model has no counters', 0, 'counters');
  if (header.skbinfo)
    report(set, 'the model has no skbinfo', members.filter((member) => member.hasMark).length, 'skbinfo');
  if ((header.maxelem ?? 0) > MAXELEM_USUAL)
    report(set, `room for ${header.maxelem} members: sets.maxelem or reprogram --maxelem gives it`, 0, 'maxelem');
  if (header.forceadd) report(set, 'a full set never drops members to take others', 0, 'forceadd');
  const commented = members.filter((member) => member.comment !== null).length;
  if (commented > 0) report(set, 'comments of members stay behind as comments of the document', commented, 'comment');
}

function networkOf(set: SavedSet, report: Report): { nets: ImportedEntry[]; except: ImportedEntry[] } {
  const { header, members } = set;
  const family = header.family ?? 'inet';
  const nets: ImportedEntry[] = [];
  const except: ImportedEntry[] = [];
  for (const member of members) {
    // A hash:ip with a netmask holds networks, printed as their first address.
    const text =
      header.netmask !== null && !member.element.includes('/') ? `${member.element}/${header.netmask}` : member.element;
    const canonical = canonicalMember('hash:net', family, text);
    if (!canonical.ok) report(set, canonical.reason, 1, member.element);
    else (member.isException ? except : nets).push({ text, comment: member.comment });
  }
  return { nets, except };
}

function endpointsOf(set: SavedSet, profile: string, report: Report): ImportedEndpoint[] {
  const family = set.header.family ?? 'inet';
  const endpoints: ImportedEndpoint[] = [];
  for (const member of set.members) {
    const taken = addressAndPort(member);
    if (taken === undefined) {
      report(set, 'the model has ports of tcp, udp and sctp from 1 to 65535 only', 1, member.element);
      continue;
    }
    const { address, protocol, port } = taken;
    endpoints.push({
      id: `${profile}/${address}/${protocol}-${port}`,
      profile,
      family,
      address,
      port: `${protocol}:${port}`,
      comment: member.comment,
    });
  }
  return endpoints;
}

function addressAndPort({ element }: SavedMember): { address: string; protocol: string; port: number } | undefined {
  const match = /^([^,]+),(tcp|udp|sctp):([0-9]{1,5})$/u.exec(element);
  const [, address, protocol, digits] = match ?? [];
  const port = Number(digits);
  if (address === undefined || protocol === undefined || port < 1 || port > 65_535) return undefined;
  return { address, protocol, port };
}

function listOf(set: SavedSet, groups: ReadonlyMap<string, string>, report: Report): readonly ImportedEntry[] {
  const found = set.members.map(({ element, comment }) => ({ name: element, comment, group: groups.get(element) }));
  const isPort = (group: string): boolean => group.startsWith('port:');
  const known = found.flatMap(({ group }) => (group === undefined ? [] : [group]));
  const mixes = known.some(isPort) && !known.every(isPort);
  const members: ImportedEntry[] = [];
  for (const { name, comment, group } of found) {
    if (group === undefined)
      report(set, 'the set of that name is not in the file, or could not be said in the model', 1, name);
    else if (mixes && isPort(group)) report(set, 'port groups cannot be mixed with others in one list', 1, name);
    else members.push({ text: group, comment });
  }
  return members;
}

export { portName };
