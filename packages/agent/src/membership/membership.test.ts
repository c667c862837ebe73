import type { GroupId, Member } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import type { ObjectChange } from '../model/change.ts';
import { type Endpoint, type ModelObject, type NamedPort, type ObjectKind, objectKey } from '../model/objects.ts';
import { IndexedMembership } from './indexed-membership.ts';
import type { Membership, MembershipDelta } from './membership.ts';
import type { MembershipOptions } from './membership-options.ts';
import { NaiveMembership } from './naive-membership.ts';

const implementations: readonly [string, (options?: MembershipOptions) => Membership][] = [
  ['naive', (options) => new NaiveMembership(options)],
  ['indexed', (options) => new IndexedMembership(options)],
];

const put = (after: ModelObject, source = 'files'): ObjectChange => ({
  key: objectKey(after.kind, after.id),
  before: null,
  after,
  origin: { source },
});
const gone = (kind: ObjectKind, id: string): ObjectChange => ({
  key: objectKey(kind, id),
  before: null,
  after: null,
  origin: null,
});
const profile = (id: string, ...tags: string[]): ObjectChange => put({ kind: 'profile', id, tags });
const member = (text: string) => text as Member;
const group = (text: string) => text as GroupId;
const v4 = (...addresses: string[]) => addresses.map(member);
const endpoint = (id: string, profiles: readonly string[], more: Partial<Endpoint> = {}): ObjectChange =>
  put({ kind: 'endpoint', id, profiles, ipv4: [], ipv6: [], ports: new Map(), active: true, ...more });
const network = (id: string, nets: readonly string[], except: readonly string[] = []): ObjectChange =>
  put({
    kind: 'network',
    id,
    nets: { inet: nets.map(member), inet6: [] },
    except: { inet: except.map((each) => member(`${each} nomatch`)), inet6: [] },
    files: [],
  });

/** The delta in a form that is short to write down: `+tag:web 10.0.0.1`, `-...`. */
const lines = (delta: MembershipDelta): readonly string[] =>
  delta.groups
    .flatMap((each) => [
      ...[...each.appeared].map((found) => `+${each.group} ${found}`),
      ...[...each.disappeared].map((found) => `-${each.group} ${found}`),
    ])
    .sort();

const ownersOf = (membership: Membership, id: string, text: string) =>
  membership
    .owners(group(id), text.includes('::') ? 'inet6' : 'inet', member(text))
    .map(({ profile: through, endpoint: of }) => `${through} ${of}`)
    .sort();

const listing = (membership: Membership, id: string) => [...membership.members(group(id), 'inet')].sort();

describe.each(implementations)('%s membership', (_name, create) => {
  const e11 = (more: Partial<Endpoint> = {}) =>
    endpoint('host1/orch/wl1_1/ep1_1', ['prof1', 'prof2'], { ipv4: v4('10.0.0.1'), ...more });
  const e21 = endpoint('host2/orch/wl2_1/ep2_1', ['prof1'], { ipv4: v4('10.0.0.1') });

  it('is the same whether the tags or the endpoint come first, however often (F5, F6, F7)', () => {
    const tagsFirst = create();
    tagsFirst.apply([profile('prof1', 'tag1')]);
    expect(lines(tagsFirst.apply([e11()]))).toEqual(['+tag:tag1 10.0.0.1']);
    const endpointFirst = create();
    for (let round = 0; round < 3; round++) {
      endpointFirst.apply([e11()]);
      endpointFirst.apply([profile('prof1', 'tag1')]);
    }
    for (const membership of [tagsFirst, endpointFirst]) {
      expect(listing(membership, 'tag:tag1')).toEqual(['10.0.0.1']);
      expect(ownersOf(membership, 'tag:tag1', '10.0.0.1')).toEqual(['prof1 host1/orch/wl1_1/ep1_1']);
      membership.apply([gone('profile', 'prof1')]);
      expect(membership.count(group('tag:tag1'), 'inet')).toBe(0);
      membership.apply([gone('endpoint', 'host1/orch/wl1_1/ep1_1')]);
      expect([...membership.groups()]).toEqual([]);
      expect(membership.endpointsWithAddress(member('10.0.0.1'))).toEqual([]);
    }
  });

  it('follows the tags of a profile (F9)', () => {
    const membership = create();
    membership.apply([e11(), profile('prof1', 'tag1')]);
    const more = membership.apply([profile('prof1', 'tag1', 'tag2')]);
    expect(lines(more)).toEqual(['+tag:tag2 10.0.0.1']);
    expect(more.definition).toEqual(new Map([['tag:tag2', true]]));
    const other = membership.apply([profile('prof1', 'tag2')]);
    expect(lines(other)).toEqual(['-tag:tag1 10.0.0.1']);
    expect(other.definition).toEqual(new Map([['tag:tag1', false]]));
    membership.apply([gone('profile', 'prof1')]);
    expect([...membership.groups()]).toEqual([]);
  });

  it('moves an endpoint between profiles with its address (F10)', () => {
    const membership = create();
    membership.apply([e11(), profile('prof1', 'tag1'), profile('prof3', 'tag3')]);
    const moved = endpoint('host1/orch/wl1_1/ep1_1', ['prof3'], { ipv4: v4('10.0.0.3') });
    expect(lines(membership.apply([moved]))).toEqual(['+tag:tag3 10.0.0.3', '-tag:tag1 10.0.0.1']);
    expect(membership.endpointsOfProfile('prof1')).toBe(0);
    expect(membership.endpointsOfProfile('prof3')).toBe(1);
  });

  it('changes nothing for a tag that the old and the new profile share (F15)', () => {
    const membership = create();
    membership.apply([
      profile('a', 'shared', 'only-a'),
      profile('b', 'shared'),
      endpoint('e', ['a'], { ipv4: v4('10.0.0.1') }),
    ]);
    expect(lines(membership.apply([endpoint('e', ['b'], { ipv4: v4('10.0.0.1') })]))).toEqual(['-tag:only-a 10.0.0.1']);
  });

  it('keeps the families apart (F11, G2)', () => {
    const membership = create();
    const delta = membership.apply([
      profile('p', 't'),
      endpoint('e', ['p'], { ipv4: v4('10.0.0.1'), ipv6: v4('2001:db8::1') }),
    ]);
    expect(delta.groups.map(({ family }) => family).sort()).toEqual(['inet', 'inet6']);
    expect([...membership.members(group('tag:t'), 'inet6')]).toEqual(['2001:db8::1']);
    const only6 = membership.apply([endpoint('e', ['p'], { ipv4: v4('10.0.0.1'), ipv6: v4('2001:db8::2') })]);
    expect(only6.groups.map(({ family }) => family)).toEqual(['inet6']);
  });

  it('keeps a member while one owner holds it, in either order of leaving (F13, F14)', () => {
    for (const order of [
      ['host2/orch/wl2_1/ep2_1', 'host1/orch/wl1_1/ep1_1'],
      ['host1/orch/wl1_1/ep1_1', 'host2/orch/wl2_1/ep2_1'],
    ] as const) {
      const membership = create();
      expect(lines(membership.apply([e11(), e21, profile('prof1', 'tag1')]))).toEqual(['+tag:tag1 10.0.0.1']);
      expect(ownersOf(membership, 'tag:tag1', '10.0.0.1')).toHaveLength(2);
      expect(lines(membership.apply([profile('prof2', 'tag1', 'tag2')]))).toEqual(['+tag:tag2 10.0.0.1']);
      expect(ownersOf(membership, 'tag:tag1', '10.0.0.1')).toHaveLength(3);
      expect(ownersOf(membership, 'tag:tag2', '10.0.0.1')).toHaveLength(1);
      const first = lines(membership.apply([gone('endpoint', order[0])]));
      expect(first.filter((line) => line.includes('tag1'))).toEqual([]);
      expect(lines(membership.apply([gone('endpoint', order[1])]))).toContain('-tag:tag1 10.0.0.1');
      expect(membership.count(group('tag:tag1'), 'inet')).toBe(0);
    }
  });

  it('cancels what comes and goes inside one batch (F42, N25)', () => {
    const membership = create();
    const e = (...addresses: string[]) => endpoint('e', ['p'], { ipv4: v4(...addresses) });
    membership.apply([profile('p', 't'), e('1.1.1.1', '2.2.2.2', '3.3.3.3')]);
    const delta = membership.apply([
      e('1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'),
      e('3.3.3.3'),
      e('2.2.2.2', '3.3.3.3', '5.5.5.5'),
    ]);
    expect(lines(delta)).toEqual(['+tag:t 5.5.5.5', '-tag:t 1.1.1.1']);
  });

  it('is not confused by repeated or unknown events (F43)', () => {
    const membership = create();
    const e = endpoint('e', ['p'], { ipv4: v4('10.0.0.1') });
    membership.apply([profile('p', 't'), e, e]);
    const again = membership.apply([e, profile('p', 't'), gone('endpoint', 'never'), gone('profile', 'never')]);
    expect(again.groups).toEqual([]);
    expect(again.definition.size + again.listed.size + again.references.size).toBe(0);
    expect(lines(membership.apply([gone('endpoint', 'e')]))).toEqual(['-tag:t 10.0.0.1']);
    expect(membership.apply([gone('endpoint', 'e')]).groups).toEqual([]);
  });

  it('lets only active endpoints own, and still finds the others by address', () => {
    const membership = create();
    membership.apply([profile('p', 't'), endpoint('e', ['p'], { ipv4: v4('10.0.0.1'), active: false })]);
    expect(membership.count(group('tag:t'), 'inet')).toBe(0);
    expect(membership.endpointsWithAddress(member('10.0.0.1'))).toEqual(['e']);
    expect(membership.groupsOfEndpoint('e')).toEqual([]);
    expect(membership.endpointsIn(group('tag:t'))).toBe(0);
    expect(lines(membership.apply([endpoint('e', ['p'], { ipv4: v4('10.0.0.1') })]))).toEqual(['+tag:t 10.0.0.1']);
  });

  it('makes members of named ports, and drops the group with the last endpoint that names the port', () => {
    const membership = create();
    const ports = new Map<string, NamedPort>([
      ['http', { protocol: 'tcp', port: 8080 }],
      ['dns', { protocol: 'udp', port: 53 }],
    ]);
    const first = membership.apply([
      profile('p', 'web'),
      endpoint('a', ['p'], { ipv4: v4('10.0.0.1'), ports }),
      endpoint('b', ['p'], { ipv4: v4('10.0.0.1'), ports: new Map([['http', { protocol: 'tcp', port: 8080 }]]) }),
    ]);
    expect(lines(first)).toEqual([
      '+port:web/dns 10.0.0.1,udp:53',
      '+port:web/http 10.0.0.1,tcp:8080',
      '+tag:web 10.0.0.1',
    ]);
    expect(membership.groupsOfEndpoint('a')).toEqual(['port:web/dns', 'port:web/http', 'tag:web']);
    expect(membership.endpointsIn(group('port:web/http'))).toBe(2);
    const second = membership.apply([gone('endpoint', 'a')]);
    expect(lines(second)).toEqual(['-port:web/dns 10.0.0.1,udp:53']);
    expect(second.listed).toEqual(new Map([['port:web/dns', false]]));
    expect(second.definition.size).toBe(0);
    expect(membership.isDefined(group('port:web/dns'))).toBe(true);
    expect(membership.isDefined(group('port:nothing/dns'))).toBe(false);
  });

  it('gives networks their exceptions as nomatch members, and a moved exception as one change of flag (N26)', () => {
    const membership = create();
    expect(lines(membership.apply([network('corp', ['10.0.0.0/8'], ['10.1.0.0/16'])]))).toEqual([
      '+net:corp 10.0.0.0/8',
      '+net:corp 10.1.0.0/16 nomatch',
    ]);
    expect(membership.owners(group('net:corp'), 'inet', member('10.1.0.0/16 nomatch'))).toEqual([
      { source: 'files', object: 'network/corp' },
    ]);
    expect(lines(membership.apply([network('corp', ['10.0.0.0/8', '10.1.0.0/16'])]))).toEqual([
      '+net:corp 10.1.0.0/16',
      '-net:corp 10.1.0.0/16 nomatch',
    ]);
    expect(membership.count(group('net:corp'), 'inet')).toBe(2);
  });

  it('keeps lists as groups of groups, and hosts as one group of all', () => {
    const membership = create();
    membership.apply([
      put({ kind: 'list', id: 'trusted', members: [group('tag:web'), group('net:corp')] }),
      put({ kind: 'host', id: 'node-a', ipv4: member('192.0.2.1'), ipv6: member('2001:db8::1') }),
      put({ kind: 'host', id: 'node-b', ipv4: member('192.0.2.1'), ipv6: null }),
    ]);
    expect([...membership.members(group('list:trusted'), null)].sort()).toEqual(['net:corp', 'tag:web']);
    expect([...membership.groups()].sort()).toEqual(['hosts:all', 'list:trusted']);
    expect(membership.apply([gone('host', 'node-a')]).groups.map(({ family }) => family)).toEqual(['inet6']);
    const last = membership.apply([gone('host', 'node-b')]);
    expect(last.definition).toEqual(new Map([['hosts:all', false]]));
    expect(membership.isDefined(group('hosts:all'))).toBe(false);
  });

  it('tells what references documents name on this host only', () => {
    const membership = create({ host: 'rack1-7' });
    const document = (id: string, hosts: readonly string[], ...groups: string[]) =>
      put({ kind: 'references', id, groups: groups.map(group), hosts });
    const first = membership.apply([
      document('policy/a', [], 'tag:web'),
      document('policy/b', ['node-a', 'rack1-*'], 'net:corp'),
      document('policy/c', ['node-a'], 'net:corp'),
    ]);
    expect(first.references).toEqual(
      new Map([
        ['policy/a', ['tag:web']],
        ['policy/b', ['net:corp']],
      ]),
    );
    const second = membership.apply([
      document('policy/a', [], 'tag:web'),
      document('policy/b', ['node-a'], 'net:corp'),
      gone('references', 'policy/c'),
    ]);
    expect(second.references).toEqual(new Map([['policy/b', null]]));
  });

  it('lets an override beat every source and puts things back when it ends', () => {
    const membership = create();
    membership.apply([profile('p', 't'), endpoint('e', ['p'], { ipv4: v4('10.0.0.1', '10.0.0.2') })]);
    const override = (id: string, kind: 'add' | 'exclude', address: string) => ({
      id,
      kind,
      group: group('tag:t'),
      family: 'inet' as const,
      member: member(address),
    });
    const set = membership.setOverrides([
      override('1', 'exclude', '10.0.0.1'),
      override('2', 'add', '10.0.0.9'),
      override('3', 'add', '10.0.0.2'),
    ]);
    expect(lines(set)).toEqual(['+tag:t 10.0.0.9', '-tag:t 10.0.0.1']);
    expect(membership.has(group('tag:t'), 'inet', member('10.0.0.1'))).toBe(false);
    expect(membership.owners(group('tag:t'), 'inet', member('10.0.0.2'))).toEqual([
      { source: 'files', profile: 'p', endpoint: 'e' },
      { source: 'overrides', override: '3' },
    ]);
    expect(lines(membership.apply([gone('endpoint', 'e')]))).toEqual([]);
    expect(listing(membership, 'tag:t')).toEqual(['10.0.0.2', '10.0.0.9']);
    expect(lines(membership.setOverrides([]))).toEqual(['-tag:t 10.0.0.2', '-tag:t 10.0.0.9']);
  });

  it('excludes a part of a network as nomatch and takes out what lies inside it', () => {
    const membership = create();
    membership.apply([network('corp', ['10.0.0.0/8', '10.1.2.0/24', '192.0.2.0/24'])]);
    const delta = membership.setOverrides([
      { id: '1', kind: 'exclude', group: group('net:corp'), family: 'inet', member: member('10.1.0.0/16') },
    ]);
    expect(lines(delta)).toEqual(['+net:corp 10.1.0.0/16 nomatch', '-net:corp 10.1.2.0/24']);
    expect(lines(membership.apply([network('corp', ['10.0.0.0/8', '10.1.9.9'])]))).toEqual(['-net:corp 192.0.2.0/24']);
    expect(lines(membership.setOverrides([]))).toEqual(['+net:corp 10.1.9.9', '-net:corp 10.1.0.0/16 nomatch']);
  });

  it('takes ids that are names of JavaScript as plain data', () => {
    const membership = create();
    membership.apply([
      profile('__proto__', 'constructor'),
      endpoint('toString', ['__proto__'], { ipv4: v4('10.0.0.1') }),
    ]);
    expect([...membership.groups()]).toEqual(['tag:constructor']);
    expect(membership.groupsOfEndpoint('toString')).toEqual(['tag:constructor']);
    expect(membership.profilesWith('constructor')).toEqual(['__proto__']);
  });
});
