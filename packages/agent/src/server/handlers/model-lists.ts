import type { Handlers } from '@setkeeper/api';
import { type GroupId, parseGroupId } from '@setkeeper/ipset';
import type { Clock } from '../../clock.ts';
import { type Candidate, type PageQuestion, RowPages } from '../../listing/row-pages.ts';
import { keyParts } from '../../model/object-text.ts';
import { type ModelObject, type ObjectKind, objectKey } from '../../model/objects.ts';
import type { StoredRecord } from '../../model/stored-record.ts';
import { createBreather } from '../../sources/breather.ts';
import { type ModelRowSources, ModelRows } from './model-rows.ts';

/** What the lists of the model need. */
export interface ModelListDependencies extends ModelRowSources {
  readonly clock: Clock;
  /** Groups that somebody references, defined or not. */
  readonly referencedGroups: () => Iterable<GroupId>;
  /** Changes whenever named references change; part of what a list of groups is made of. */
  readonly referencesRevision: () => string | number;
}

type ListVerb = 'groups' | 'endpoints' | 'profiles' | 'networks' | 'lists' | 'hosts' | 'references';
type ModelListHandlers = Pick<Handlers, `model.${ListVerb}`>;

interface ListInput {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly filter?: string | undefined;
  readonly sort?: { readonly by: string; readonly desc: boolean } | undefined;
  /** One object alone, whatever else there is. */
  readonly id?: string | undefined;
}

/** The model, a page at a time. Text filters find ids and everything an object's document says; case does not matter. */
export function modelListHandlers(deps: ModelListDependencies): ModelListHandlers {
  const { merge, membership, clock } = deps;
  const pages = new RowPages(() => createBreather(clock));
  const at = () => new Date(clock.now()).toISOString();
  const revision = () => String(merge.revision);
  const question = (list: ListVerb, input: ListInput, more: string, candidates: PageQuestion['candidates']) => ({
    list: JSON.stringify([list, input.sort ?? null, input.filter ?? '', more]),
    revision: list === 'groups' ? `${revision()} ${deps.referencesRevision()}` : revision(),
    candidates,
    isDescending: input.sort?.desc ?? false,
    cursor: input.cursor,
    limit: input.limit,
  });

  /** A list whose rows are the objects of one kind. */
  const objectPage = async <Row>(
    list: ListVerb,
    kind: ObjectKind,
    input: ListInput,
    row: (rows: ModelRows, record: StoredRecord) => Row | null,
    more: { readonly key?: string; readonly fits?: (object: ModelObject) => boolean; readonly by?: SortBy } = {},
  ) => {
    const { fits, by = byId } = more;
    if (input.id !== undefined) {
      const record = merge.record(objectKey(kind, input.id));
      const only = record === null ? null : row(new ModelRows(deps), record);
      return onlyRow(only, at());
    }
    const candidates = function* (): Generator<Candidate> {
      const fitsText = textFilter(input.filter);
      for (const record of merge.records(kind)) {
        const { id } = keyParts(record.key);
        if (!fitsText(id, record.text) || (fits !== undefined && !fits(record.object))) continue;
        yield { id, by: by(id, record) };
      }
    };
    const page = await pages.page(question(list, input, more.key ?? '', candidates));
    const rows = new ModelRows(deps);
    const items = page.ids.flatMap((id) => {
      const record = merge.record(objectKey(kind, id));
      return (record === null ? null : row(rows, record)) ?? [];
    });
    return answer(page, items, at());
  };

  return {
    'model.groups': async (input) => {
      const candidates = function* (): Generator<Candidate> {
        const fitsText = textFilter(input.filter);
        for (const id of new Set([...membership.groups(), ...deps.referencedGroups()])) {
          const { kind } = parsedKind(id);
          if (!fitsText(id, '') || (input.kind !== undefined && kind !== input.kind)) continue;
          yield { id, by: input.sort?.by === 'endpoints' ? membership.endpointsIn(id) : groupOrder(id) };
        }
      };
      const page = await pages.page(question('groups', input, input.kind ?? '', candidates));
      const rows = new ModelRows(deps);
      return answer(
        page,
        page.ids.map((id) => rows.group(id as GroupId)),
        at(),
      );
    },

    'model.endpoints': (input) => {
      const { profile, tag, port } = input;
      const carriers = tag === undefined ? null : new Set(membership.profilesWith(tag));
      const fits = (object: ModelObject) =>
        object.kind === 'endpoint' &&
        (profile === undefined || object.profiles.includes(profile)) &&
        (carriers === null || object.profiles.some((each) => carriers.has(each))) &&
        (port === undefined || object.ports.has(port));
      const isNarrowed = profile !== undefined || tag !== undefined || port !== undefined;
      return objectPage('endpoints', 'endpoint', input, (rows, record) => rows.endpoint(record), {
        key: JSON.stringify([profile ?? null, tag ?? null, port ?? null]),
        ...(isNarrowed ? { fits } : {}),
        ...(input.sort?.by === 'source' ? { by: bySource } : {}),
      });
    },

    'model.profiles': async (input) => {
      if (input.id !== undefined) {
        const record = merge.record(objectKey('profile', input.id));
        const isKnown = record !== null || membership.endpointsOfProfile(input.id) > 0;
        return onlyRow(isKnown ? new ModelRows(deps).profile(input.id, record) : null, at());
      }
      const carriers = input.tag === undefined ? null : new Set(membership.profilesWith(input.tag));
      const candidates = function* (): Generator<Candidate> {
        const fitsText = textFilter(input.filter);
        const defined = merge.records('profile');
        const ids = new Set([...defined].map(({ key }) => keyParts(key).id));
        for (const id of membership.profilesNamed()) ids.add(id);
        for (const id of ids) {
          const text = merge.record(objectKey('profile', id))?.text ?? '';
          if (!fitsText(id, text) || (carriers !== null && !carriers.has(id))) continue;
          yield { id, by: input.sort?.by === 'endpoints' ? membership.endpointsOfProfile(id) : id };
        }
      };
      const page = await pages.page(question('profiles', input, input.tag ?? '', candidates));
      const rows = new ModelRows(deps);
      const items = page.ids.map((id) => rows.profile(id, merge.record(objectKey('profile', id))));
      return answer(page, items, at());
    },

    'model.networks': (input) =>
      objectPage('networks', 'network', input, (rows, record) => rows.network(record), {
        ...(input.sort?.by === 'nets' ? { by: byNets } : {}),
      }),
    'model.lists': (input) => objectPage('lists', 'list', input, (rows, record) => rows.list(record)),
    'model.hosts': (input) => objectPage('hosts', 'host', input, (rows, record) => rows.host(record)),
    'model.references': (input) =>
      objectPage('references', 'references', input, (rows, record) => rows.references(record)),
  };
}

type SortBy = (id: string, record: StoredRecord) => string | number;

const byId: SortBy = (id) => id;
const bySource: SortBy = (_id, { place }) => `${place.source} ${place.file ?? ''}`;
function byNets(_id: string, { object }: StoredRecord): number {
  return object.kind === 'network' ? object.nets.inet.length + object.nets.inet6.length : 0;
}

function answer<Row>(page: { readonly total: number; readonly nextCursor?: string }, items: Row[], at: string) {
  const { total, nextCursor } = page;
  return { items, total, at, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

const onlyRow = <Row>(row: Row | null, at: string) => {
  const items = row === null ? [] : [row];
  return answer({ total: items.length }, items, at);
};

function textFilter(filter: string | undefined): (id: string, text: string) => boolean {
  const wanted = (filter ?? '').trim().toLowerCase();
  if (wanted === '') return () => true;
  return (id, text) => id.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted);
}

const KIND_ORDER = ['tag', 'port', 'net', 'list', 'hosts'];

function parsedKind(id: GroupId): { readonly kind: string; readonly rank: number } {
  const parsed = parseGroupId(id);
  const kind = parsed.ok ? parsed.kind : '';
  return { kind, rank: KIND_ORDER.indexOf(kind) };
}

/** Groups of one kind stand together, in the order in which kinds are always listed. */
const groupOrder = (id: GroupId): string => `${parsedKind(id).rank} ${id}`;
