import type { Handlers } from '@setkeeper/api';
import type { MockState } from './mock-state.ts';
import { allTags, ownersOfTag } from './model-world.ts';
import { matching, pageOf } from './page-of.ts';
import { ago } from './set-world.ts';

type ModelVerbs =
  | 'model.groups'
  | 'model.endpoints'
  | 'model.profiles'
  | 'model.networks'
  | 'model.lists'
  | 'model.hosts'
  | 'model.references'
  | 'model.put'
  | 'model.delete'
  | 'model.validate'
  | 'model.export';

const declared =
  'profiles:\n  jump:\n    tags: [jump]\nendpoints:\n  hand/jump/eth0:\n    profiles: [jump]\n    ipv4: [192.0.2.50]\n';

/** `model.*` of the invented agent. */
export function modelHandlers(state: MockState): Pick<Handlers, ModelVerbs> {
  const origin = (file: string) => ({
    source: 'directory',
    file,
    line: 3,
    commit: '3fa9c17',
    since: ago(86_400_000 * 4),
    conflicts: [],
    lastGood: false,
  });
  return {
    'model.groups': (input) => {
      const rows = state.sets
        .filter((set) => set.family !== 'inet6')
        .filter((set) => input.kind === undefined || set.kind === input.kind)
        .map((set) => {
          const tag = set.group.slice(set.group.indexOf(':') + 1);
          const owners = set.kind === 'tag' ? ownersOfTag(state.model, tag) : [];
          return {
            id: set.group,
            kind: set.kind,
            defined: set.defined,
            referenced: set.references.length > 0,
            references: set.references,
            members: {
              inet: set.desired,
              inet6: state.sets.find((one) => one.group === set.group && one.family === 'inet6')?.desired ?? 0,
            },
            endpoints: owners.length,
            profiles: [...new Set(owners.map((owner) => owner.profile))],
            names: { inet: set.name },
          };
        });
      return pageOf(
        matching(rows, input.filter, (row) => row.id),
        input,
      );
    },
    'model.endpoints': (input) => {
      const owners =
        input.tag === undefined
          ? undefined
          : new Set(ownersOfTag(state.model, input.tag).map(({ endpoint }) => endpoint.id));
      const rows = state.model.endpoints
        .filter((one) => owners?.has(one.id) ?? true)
        .filter((one) => input.profile === undefined || one.profiles.includes(input.profile))
        .filter((one) => input.port === undefined || Object.hasOwn(one.ports, input.port))
        .filter((one) => input.id === undefined || one.id === input.id)
        .map((one) => ({
          id: one.id,
          profiles: [...one.profiles],
          ipv4: [one.ipv4],
          ipv6: one.ipv6 === null ? [] : [one.ipv6],
          active: true,
          ports: { ...one.ports },
          groups: [...new Set(one.profiles.flatMap((profile) => state.model.profiles.get(profile) ?? []))].map(
            (tag) => `tag:${tag}`,
          ),
          ...(one.id.includes('.0/') ? { note: 'ticket 4711' } : {}),
          ...origin(one.file),
        }));
      return pageOf(
        matching(rows, input.filter, (row) => `${row.id} ${row.ipv4} ${row.ipv6} ${row.profiles}`),
        input,
      );
    },
    'model.profiles': (input) => {
      const rows = [...state.model.profiles]
        .filter(([id, tags]) => (input.id ?? id) === id && (input.tag === undefined || tags.includes(input.tag)))
        .map(([id, tags]) => ({
          id,
          tags: [...tags],
          endpoints: state.model.endpoints.filter((one) => one.profiles.includes(id)).length,
          defined: true,
          ...origin('profiles.yaml'),
        }));
      return pageOf(
        matching(rows, input.filter, (row) => `${row.id} ${row.tags}`),
        input,
      );
    },
    'model.networks': (input) => {
      const rows = state.sets
        .filter((set) => set.kind === 'net' && set.family === 'inet')
        .filter((set) => input.id === undefined || set.group === `net:${input.id}`)
        .map((set) => ({
          id: set.group.slice(4),
          nets: set.desired,
          except: set.group === 'net:corp' ? 1 : 0,
          files: set.group === 'net:firehol' ? ['lists/firehol_level1.netset'] : [],
          ...origin('networks.yaml'),
        }));
      return pageOf(
        matching(rows, input.filter, (row) => row.id),
        input,
      );
    },
    'model.lists': (input) => {
      const rows =
        state.sets.length === 0
          ? []
          : [
              {
                id: 'trusted',
                members: ['tag:web', 'net:corp', 'hosts:all'],
                note: 'who may reach the bastion',
                ...origin('lists.yaml'),
              },
              { id: 'edge', members: ['tag:proxy', 'tag:dns'], ...origin('lists.yaml') },
            ];
      return pageOf(
        matching(rows, input.filter, (row) => row.id).filter((row) => (input.id ?? row.id) === row.id),
        input,
      );
    },
    'model.hosts': (input) =>
      pageOf([{ id: 'node-a', ipv4: '192.0.2.1', ipv6: '2001:db8::1', ...origin('hosts.yaml') }], input),
    'model.references': (input) =>
      pageOf(
        [
          {
            id: 'policy/allow-web',
            groups: ['tag:web', 'port:web/http'],
            hosts: [],
            here: true,
            ...origin('references.yaml'),
          },
        ],
        input,
      ),
    'model.put': () => {
      state.revision += 1;
      state.events.emit({ type: 'model-changed' });
      return {
        changed: 1,
        unchanged: 0,
        objects: [{ kind: 'endpoint', id: 'hand/jump/eth0' }],
        revision: state.revision,
        warnings: [],
      };
    },
    'model.delete': () => ({ changed: 1, revision: state.revision }),
    'model.validate': ({ documents }) => {
      const isBad = documents.includes('10.0.0.300');
      return {
        ok: !isBad,
        faults: isBad
          ? [
              {
                file: 'text',
                line: 7,
                path: 'endpoints/hand/jump/eth0/ipv4/0',
                reason: '10.0.0.300 is not an address',
                severity: 'error' as const,
              },
            ]
          : [],
      };
    },
    'model.export': () => ({ text: state.scenario === 'empty' ? '' : declared, revision: state.revision }),
  };
}

/** How many objects of each kind the model has. */
export function modelKinds(state: MockState): Record<string, number> {
  if (state.sets.length === 0) return {};
  return {
    profiles: state.model.profiles.size,
    endpoints: state.model.endpoints.length,
    networks: 5,
    lists: 2,
    hosts: 1,
    references: 1,
    tags: allTags(state.model).length,
  };
}
