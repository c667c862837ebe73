import type {
  EndpointRow,
  Fault,
  GroupRow,
  HostRow,
  ListRow,
  NetworkRow,
  ProfileRow,
  ReferenceDocRow,
} from '@setkeeper/api';
import { type Family, type GroupId, kernelName, parseGroupId } from '@setkeeper/ipset';
import type { z } from 'zod';
import type { Membership } from '../../membership/membership.ts';
import { isForHost } from '../../model/host-pattern.ts';
import { keyParts } from '../../model/object-text.ts';
import { type ModelObject, type ObjectKey, objectKey } from '../../model/objects.ts';
import { kindOfSection, sectionOf } from '../../model/section.ts';
import type { StoredRecord } from '../../model/stored-record.ts';
import { visibleText } from '../../model/visible-text.ts';
import type { Merge } from '../../sources/merge.ts';

/** What the rows of the model are made of. */
export interface ModelRowSources {
  readonly merge: Merge;
  readonly membership: Membership;
  readonly host: string;
  readonly prefix: string;
  readonly families: readonly Family[];
  readonly referrersOf: (group: GroupId) => readonly string[];
  /** When an object last changed, from its history; null where history does not reach back. ISO-8601. */
  readonly sinceOf: (key: ObjectKey) => string | null;
}

type OriginOfRow = Pick<
  z.input<typeof EndpointRow>,
  'source' | 'file' | 'line' | 'commit' | 'since' | 'conflicts' | 'lastGood'
>;

/** One row of the model for the API, from what stands now. Made for one answer: faults are looked through once. */
export class ModelRows {
  readonly #from: ModelRowSources;
  readonly #faultPaths = new Map<string, ReadonlySet<string>>();

  constructor(from: ModelRowSources) {
    this.#from = from;
  }

  group(id: GroupId): z.input<typeof GroupRow> {
    const { membership, referrersOf, prefix, families } = this.#from;
    const parsed = parseGroupId(id);
    const references = [...referrersOf(id)];
    const kind = parsed.ok ? parsed.kind : 'tag';
    const isList = kind === 'list';
    return {
      id,
      kind,
      defined: membership.isDefined(id),
      referenced: references.length > 0,
      references,
      members: {
        inet: membership.count(id, isList ? null : 'inet'),
        inet6: membership.count(id, isList ? null : 'inet6'),
      },
      endpoints: membership.endpointsIn(id),
      profiles: parsed.ok && kind === 'tag' ? [...membership.profilesWith(parsed.name)] : [],
      names: isList
        ? { name: kernelName(prefix, id, null) }
        : Object.fromEntries(families.map((family) => [family, kernelName(prefix, id, family)])),
    };
  }

  endpoint(record: StoredRecord): z.input<typeof EndpointRow> | null {
    const { object } = record;
    if (object.kind !== 'endpoint') return null;
    const { id, profiles, ipv4, ipv6, active, ports, note } = object;
    return {
      id,
      profiles: [...profiles],
      ipv4: [...ipv4],
      ipv6: [...ipv6],
      active,
      ports: Object.fromEntries([...ports].map(([name, { protocol, port }]) => [name, `${protocol}:${port}`])),
      groups: [...this.#from.membership.groupsOfEndpoint(id)],
      ...withNote(note),
      ...this.#origin(record),
    };
  }

  /** A profile that endpoints name without anybody defining it has a row, too. */
  profile(id: string, record: StoredRecord | null): z.input<typeof ProfileRow> {
    const object: ModelObject | undefined = record?.object;
    return {
      id,
      tags: object?.kind === 'profile' ? [...object.tags] : [],
      endpoints: this.#from.membership.endpointsOfProfile(id),
      defined: record !== null,
      ...(record === null ? NOWHERE : this.#origin(record)),
    };
  }

  network(record: StoredRecord): z.input<typeof NetworkRow> | null {
    const { object } = record;
    if (object.kind !== 'network') return null;
    const { id, nets, except, files, note } = object;
    return {
      id,
      nets: nets.inet.length + nets.inet6.length,
      except: except.inet.length + except.inet6.length,
      files: [...files],
      ...withNote(note),
      ...this.#origin(record),
    };
  }

  list(record: StoredRecord): z.input<typeof ListRow> | null {
    const { object } = record;
    if (object.kind !== 'list') return null;
    return { id: object.id, members: [...object.members], ...withNote(object.note), ...this.#origin(record) };
  }

  host(record: StoredRecord): z.input<typeof HostRow> | null {
    const { object } = record;
    if (object.kind !== 'host') return null;
    return { id: object.id, ipv4: object.ipv4, ipv6: object.ipv6, ...this.#origin(record) };
  }

  references(record: StoredRecord): z.input<typeof ReferenceDocRow> | null {
    const { object } = record;
    if (object.kind !== 'references') return null;
    const { id, groups, hosts } = object;
    return {
      id,
      groups: [...groups],
      hosts: [...hosts],
      here: isForHost(hosts, this.#from.host),
      ...this.#origin(record),
    };
  }

  #origin(record: StoredRecord): OriginOfRow {
    const { source, file, line, commit } = record.origin;
    return {
      source,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(commit === undefined ? {} : { commit }),
      since: this.#from.sinceOf(record.key),
      conflicts: [...this.#from.merge.conflicts(record.key)],
      lastGood: this.#isLastGood(record),
    };
  }

  /** Whether a row shows what was last good, because its source is not current or what it says now has a fault. */
  #isLastGood(record: StoredRecord): boolean {
    const { source, file } = record.place;
    const merged = this.#from.merge.source(source);
    if (merged === null || merged.state !== 'current') return true;
    const { kind, id } = keyParts(record.key);
    const faulty = this.#faultsOf(source, merged.faults);
    return faulty.has(`${sectionOf(kind)}.${visibleText(id)}`) || (file !== undefined && faulty.has(`file ${file}`));
  }

  /** Objects with an error, by path without what follows the id, and files that do not parse. */
  #faultsOf(source: string, faults: readonly Fault[]): ReadonlySet<string> {
    const known = this.#faultPaths.get(source);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const { path, file, severity } of faults) {
      if (severity !== 'error') continue;
      if (path === '') found.add(`file ${file}`);
      const object = this.#objectAt(path);
      if (object !== null) found.add(object);
    }
    this.#faultPaths.set(source, found);
    return found;
  }

  /** The part of a fault's path that is an object. An id may hold dots: the longest one that there is. */
  #objectAt(path: string): string | null {
    const dot = path.indexOf('.');
    const kind = kindOfSection(path.slice(0, dot));
    if (kind === undefined) return null;
    for (let end = path.length; end > dot; end = lastBoundary(path, end)) {
      if (this.#from.merge.record(objectKey(kind, path.slice(dot + 1, end))) !== null) return path.slice(0, end);
    }
    return null;
  }
}

const NOWHERE: OriginOfRow = { source: '', since: null, conflicts: [], lastGood: false };

const withNote = (note: string | undefined) => (note === undefined ? {} : { note });

const lastBoundary = (path: string, end: number): number =>
  Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));
