import { FAMILIES, type Family, type GroupId, isNomatch, type Member, memberKey } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectChange } from '../model/change.ts';
import { type ModelObject, type NamedPort, type ObjectKind, objectKey } from '../model/objects.ts';
import { IndexedMembership } from './indexed-membership.ts';
import type { Membership, MembershipDelta, OverrideEntry } from './membership.ts';
import { NaiveMembership } from './naive-membership.ts';

/** Few values, so that everything collides with everything. */
const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const subset = <T>(...values: readonly T[]) => fc.subarray([...values]);
const V4 = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '255.255.255.255', '128.0.0.1'] as Member[];
const V6 = ['2001:db8::1', '2001:db8::2', '::1'] as Member[];
const NETS = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3', '192.0.2.0/24', '0.0.0.0/0'] as Member[];
const NETS6 = ['2001:db8::/32', '2001:db8:1::/48', '::/0'] as Member[];
const PROFILES = ['p1', 'p2', 'p3'];
const TAGS = ['a', 'b', 'c/d', 'c'];
const GROUPS = ['tag:a', 'tag:b', 'tag:c/d', 'port:a/http', 'port:c/d/http', 'net:n1', 'hosts:all'] as GroupId[];
const exception = (net: Member) => `${net} nomatch` as Member;

const profile = fc
  .record({ id: some(...PROFILES), tags: subset(...TAGS) })
  .map((each): ModelObject => ({ kind: 'profile', ...each }));
const port = (protocol: NamedPort['protocol'], number: number): NamedPort => ({ protocol, port: number });
const ports = some<ReadonlyMap<string, NamedPort>>(
  new Map(),
  new Map([['http', port('tcp', 80)]]),
  new Map([
    ['dns', port('udp', 53)],
    ['http', port('tcp', 80)],
  ]),
  new Map([['http', port('tcp', 8080)]]),
);
const endpoint = fc
  .record({
    id: some('e1', 'e2', 'e3', 'e4', 'e5'),
    profiles: subset(...PROFILES, 'ghost'),
    ipv4: subset(...V4),
    ipv6: subset(...V6),
    ports,
    active: fc.boolean(),
  })
  .map((each): ModelObject => ({ kind: 'endpoint', ...each }));
const network = fc
  .record({ id: some('n1', 'n2'), nets: subset(...NETS), except: subset(...NETS), six: subset(...NETS6) })
  .map(({ id, nets, except, six }): ModelObject => {
    const except4 = except.filter((net) => !nets.includes(net)).map(exception);
    return { kind: 'network', id, nets: { inet: nets, inet6: six }, except: { inet: except4, inet6: [] }, files: [] };
  });
const list = fc
  .record({ id: some('l1', 'l2'), members: subset(...GROUPS) })
  .map((each): ModelObject => ({ kind: 'list', ...each }));
const host = fc
  .record({ id: some('h1', 'h2', 'h3'), ipv4: fc.option(some(...V4)), ipv6: fc.option(some(...V6)) })
  .map((each): ModelObject => ({ kind: 'host', ...each }));
const references = fc
  .record({
    id: some('r1', 'r2'),
    groups: subset(...GROUPS),
    hosts: some<readonly string[]>([], ['here'], ['other-*']),
  })
  .map((each): ModelObject => ({ kind: 'references', ...each }));
const put = fc.oneof(
  { weight: 4, arbitrary: endpoint },
  { weight: 3, arbitrary: profile },
  network,
  list,
  host,
  references,
);
const removal = fc.record({
  kind: some<ObjectKind>('endpoint', 'profile', 'network', 'list', 'host', 'references'),
  id: some('e1', 'e2', 'e3', 'e4', 'e5', 'p1', 'p2', 'p3', 'n1', 'n2', 'l1', 'h1', 'h2', 'r1', 'r2'),
});
const change: fc.Arbitrary<ObjectChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ object: put, source: some('files', 'etcd') }).map(({ object, source }) => ({
      key: objectKey(object.kind, object.id),
      before: null,
      after: object,
      origin: { source },
    })),
  },
  {
    weight: 2,
    arbitrary: removal.map(({ kind, id }) => ({ key: objectKey(kind, id), before: null, after: null, origin: null })),
  },
);
const override: fc.Arbitrary<OverrideEntry> = fc
  .record({
    id: some('o1', 'o2', 'o3'),
    kind: some<'add' | 'exclude'>('add', 'exclude'),
    group: some('tag:a', 'net:n1', 'net:n2', 'port:a/http') as fc.Arbitrary<GroupId>,
    net: some(...NETS, ...NETS6),
    address: some(...V4, ...V6),
  })
  .map(({ id, kind, group, net, address }) => {
    const member = group.startsWith('net:')
      ? net
      : group.startsWith('port:')
        ? (`${address},tcp:80` as Member)
        : address;
    return { id, kind, group, family: member.includes('::') ? 'inet6' : 'inet', member };
  });
type Step = { readonly changes: readonly ObjectChange[] } | { readonly overrides: readonly OverrideEntry[] };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ overrides: fc.array(override, { maxLength: 4 }) }) },
);

const run = (membership: Membership, each: Step): MembershipDelta =>
  'changes' in each ? membership.apply(each.changes) : membership.setOverrides(each.overrides);

/** A delta as text, in an order of its own. */
const told = (delta: MembershipDelta) => ({
  groups: delta.groups
    .flatMap(({ group, family, appeared, disappeared }) => [
      ...[...appeared].map((member) => `${family} ${group} + ${member}`),
      ...[...disappeared].map((member) => `${family} ${group} - ${member}`),
    ])
    .sort(),
  definition: [...delta.definition].map(String).sort(),
  listed: [...delta.listed].map(String).sort(),
  references: [...delta.references].map(String).sort(),
});

/** Everything a membership answers, as text. */
function state(membership: Membership) {
  const groups = [...membership.groups()].sort();
  const families: readonly (Family | null)[] = [...FAMILIES, null];
  return {
    groups,
    members: [...new Set([...groups, ...GROUPS])].map((group) => ({
      group,
      isDefined: membership.isDefined(group),
      hasIpv4: [0x0a000001, 0x0a000002, 0xffffffff, 0x80000001].filter((address) => membership.hasIpv4(group, address)),
      endpoints: membership.endpointsIn(group),
      of: families.map((family) => {
        const members = [...membership.members(group, family)].sort();
        const owners = members.map((member) =>
          membership
            .owners(group, family, member)
            .map((owner) => JSON.stringify(owner))
            .sort(),
        );
        const has = [...V4, ...V6, ...NETS, ...NETS.map(exception)].filter((member) =>
          membership.has(group, family, member),
        );
        return { members, owners, has: has.sort(), count: membership.count(group, family) };
      }),
    })),
    endpoints: ['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => membership.groupsOfEndpoint(id)),
    addresses: [...V4, ...V6].map((address) => membership.endpointsWithAddress(address)),
    profiles: TAGS.map((tag) => membership.profilesWith(tag)),
    named: [...membership.profilesNamed()].sort(),
    used: PROFILES.map((id) => membership.endpointsOfProfile(id)),
  };
}

describe('the indexed membership', () => {
  it('does what the naive one does, over random histories of more than 10,000 events', { timeout: 60_000 }, () => {
    let events = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
        const naive = new NaiveMembership({ host: 'here', originOf: () => ({ source: 'x', file: 'f.yaml' }) });
        const indexed = new IndexedMembership({ host: 'here', originOf: () => ({ source: 'x', file: 'f.yaml' }) });
        const mirror = new Map<string, Set<Member>>();
        for (const each of steps) {
          events += 'changes' in each ? each.changes.length : 1;
          const delta = run(indexed, each);
          expect(told(delta)).toEqual(told(run(naive, each)));
          for (const { group, family, appeared, disappeared } of delta.groups) {
            const members = mirror.get(`${family} ${group}`) ?? new Set();
            mirror.set(`${family} ${group}`, members);
            for (const member of disappeared) expect(members.delete(member)).toBe(true);
            for (const member of appeared) {
              expect(members.has(member)).toBe(false);
              members.add(member);
            }
          }
        }
        expect(state(indexed)).toEqual(state(naive));
        for (const [scope, members] of mirror) {
          const [family, group] = [scope.slice(0, scope.indexOf(' ')), scope.slice(scope.indexOf(' ') + 1) as GroupId];
          const now = new Set(indexed.members(group, family === 'null' ? null : (family as Family)));
          expect(members).toEqual(now);
          expect([...now].map((member) => memberKey(member)).length).toBe(now.size);
          for (const member of now) expect(isNomatch(member)).toBe(member.endsWith(' nomatch'));
        }
      }),
      { numRuns: 120 },
    );
    expect(events).toBeGreaterThan(10_000);
  });

  it('comes to the same in slices, and tells the truth after each of them', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (steps, atOnce) => {
        const whole = new IndexedMembership({ host: 'here' });
        const sliced = new IndexedMembership({ host: 'here' });
        const mirror = new Map<string, Set<Member>>();
        const enter = (delta: MembershipDelta): void => {
          for (const { group, family, appeared, disappeared } of delta.groups) {
            const members = mirror.get(`${family} ${group}`) ?? new Set();
            mirror.set(`${family} ${group}`, members);
            for (const member of disappeared) expect(members.delete(member)).toBe(true);
            for (const member of appeared) members.add(member);
            const now = new Set(sliced.members(group, family));
            expect(members).toEqual(now);
            expect(sliced.count(group, family)).toBe(now.size);
          }
        };
        for (const each of steps) {
          run(whole, each);
          if ('changes' in each) for (const delta of sliced.applyInSlices(each.changes, atOnce)) enter(delta);
          else enter(run(sliced, each));
          expect(state(sliced)).toEqual(state(whole));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('comes to the same in any order of events, and twice', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(put, { maxLength: 20, selector: ({ kind, id }) => objectKey(kind, id) }),
        fc.infiniteStream(fc.nat()),
        (objects, random) => {
          const changes = objects.map(
            (after): ObjectChange => ({
              key: objectKey(after.kind, after.id),
              before: null,
              after,
              origin: { source: 'files' },
            }),
          );
          const shuffled = changes
            .map((each) => ({ each, at: random.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ each }) => each);
          const one = new IndexedMembership();
          one.apply(changes);
          const other = new IndexedMembership();
          for (const each of [...shuffled, ...shuffled]) other.apply([each]);
          expect(state(other)).toEqual(state(one));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps nothing of what was deleted', () => {
    fc.assert(
      fc.property(fc.array(put, { maxLength: 40 }), (objects) => {
        const membership = new IndexedMembership();
        for (const after of objects) {
          membership.apply([{ key: objectKey(after.kind, after.id), before: null, after, origin: null }]);
        }
        membership.apply(
          objects.map(({ kind, id }) => ({ key: objectKey(kind, id), before: null, after: null, origin: null })),
        );
        expect(membership.size).toBe(0);
        expect([...membership.groups()]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
