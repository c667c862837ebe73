import { parseGroupId } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import type { Membership } from '../membership/membership.ts';
import { networkDifferenceText } from '../model/network-difference.ts';
import { objectText } from '../model/object-text.ts';
import { type Endpoint, type ModelObject, type Network, objectKey, type Profile } from '../model/objects.ts';
import type { ObjectHistory } from '../store/store.ts';
import { type WhyNotPorts, whyNot } from './why-not.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const groupId = (text: string) => {
  const parsed = parseGroupId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.id;
};
const endpoint = (id: string, ipv4: string, profiles: readonly string[], active = true): Endpoint => ({
  kind: 'endpoint',
  id,
  profiles,
  ipv4: [ipv4 as never],
  ipv6: [],
  ports: new Map(),
  active,
});
const profile = (id: string, ...tags: readonly string[]): Profile => ({ kind: 'profile', id, tags });
const keyOf = (object: ModelObject) => objectKey(object.kind, object.id);

/** What the store remembers, the newest first as it gives it. */
function world(parts: {
  readonly history?: readonly { readonly object: ModelObject; readonly gone?: true; readonly at: string }[];
  readonly now?: readonly ModelObject[];
}): WhyNotPorts {
  const rows = (parts.history ?? []).map(
    ({ object, gone, at }, i): ObjectHistory => ({
      id: String(i),
      at: `2026-06-01T${at}:00.000Z`,
      key: keyOf(object),
      kind: gone === true ? 'removed' : i === 0 ? 'added' : 'changed',
      source: 'model',
      ...(gone === true ? {} : { file: 'web.yaml', line: 3 }),
      text: gone === true ? null : objectText(object),
    }),
  );
  const newestFirst = rows.toReversed();
  const now = parts.now ?? [];
  const ofKind = <Kind extends ModelObject['kind']>(kind: Kind) =>
    now.flatMap((object) => (object.kind === kind ? [object as Extract<ModelObject, { kind: Kind }>] : []));
  const membership = {
    endpointsWithAddress: (address: string) =>
      ofKind('endpoint').flatMap(({ id, ipv4 }) => (ipv4.includes(address as never) ? [id] : [])),
    profilesWith: (tag: string) => ofKind('profile').flatMap(({ id, tags }) => (tags.includes(tag) ? [id] : [])),
    isDefined: (group: string) => group === 'tag:web' || group === 'tag:db',
  } as unknown as Membership;
  return {
    membership,
    changes: {
      objectChanges: (key, limit) => newestFirst.filter((row) => row.key === key).slice(0, limit),
      objectsNaming: (word, limit) =>
        [...new Set(newestFirst.filter(({ text }) => text?.includes(word) === true).map(({ key }) => key))].slice(
          0,
          limit,
        ),
    },
    objectOfKey: (key) => now.find((object) => keyOf(object) === key) ?? null,
    now: NOW,
  };
}

describe('whyNot', () => {
  const x = endpoint('node-a/x', '10.0.0.1', ['web']);
  const web = profile('web', 'web');

  it('names the endpoint that was removed, when, and the file it had been in', () => {
    const ports = world({
      now: [web],
      history: [
        { object: x, at: '01:00' },
        { object: x, gone: true, at: '02:11' },
      ],
    });
    expect(whyNot(ports, '10.0.0.1', groupId('tag:web'))).toEqual([
      'endpoint node-a/x was removed 02:11 UTC by web.yaml:3',
    ]);
  });

  it('says when an endpoint lost the address', () => {
    const moved = endpoint('node-a/x', '10.0.0.2', ['web']);
    const ports = world({
      now: [web, moved],
      history: [
        { object: x, at: '01:00' },
        { object: moved, at: '03:00' },
      ],
    });
    expect(whyNot(ports, '10.0.0.1', groupId('tag:web'))).toEqual([
      'endpoint node-a/x lost this address 03:00 UTC by web.yaml:3',
    ]);
  });

  it('says that the endpoint is there and is not active', () => {
    const asleep = endpoint('node-a/x', '10.0.0.1', ['web'], false);
    expect(whyNot(world({ now: [web, asleep] }), '10.0.0.1', groupId('tag:web'))).toEqual([
      'endpoint node-a/x has this address and is not active',
    ]);
  });

  it('says by which profiles an endpoint is in other groups, and when one stopped to carry the tag', () => {
    const less = profile('web', 'frontend');
    const history = [
      { object: web, at: '01:00' },
      { object: x, at: '01:00' },
      { object: less, at: '04:00' },
    ];
    expect(whyNot(world({ now: [less, x], history }), '10.0.0.1', groupId('tag:web'))).toEqual([
      'endpoint node-a/x has this address and the profile web, which does not carry tag:web',
      'profile web does not carry tag:web any more since 04:00 UTC by web.yaml:3',
    ]);
  });

  it('does not speak of an endpoint that never was in the group', () => {
    const history = [
      { object: x, at: '01:00' },
      { object: x, gone: true as const, at: '02:00' },
    ];
    expect(whyNot(world({ now: [web, profile('db', 'db')], history }), '10.0.0.1', groupId('tag:db'))).toEqual([
      'nothing in the model puts 10.0.0.1 into tag:db, now or before as far as the history reaches',
    ]);
  });

  it('does not take 10.0.0.11 for 10.0.0.1', () => {
    const other = endpoint('other', '10.0.0.11', ['web']);
    const history = [
      { object: other, at: '01:00' },
      { object: other, gone: true as const, at: '02:00' },
    ];
    expect(whyNot(world({ now: [web], history }), '10.0.0.1', null)).toEqual([]);
  });

  it('says that the group is not in the model', () => {
    expect(whyNot(world({}), '10.0.0.1', groupId('tag:nobody'))).toEqual(['the model has no tag:nobody']);
  });

  it('names the wider network that a network lost, out of whole texts and of differences', () => {
    const net = (...nets: readonly string[]): Network => ({
      kind: 'network',
      id: 'corp',
      nets: { inet: nets as never, inet6: [] },
      except: { inet: [], inet6: [] },
      files: [],
    });
    const history = [
      { object: net('10.0.0.0/8', '192.0.2.0/24'), at: '01:00' },
      { object: net('192.0.2.0/24'), at: '02:00' },
    ];
    const ports = world({ history });
    const lost = ['network corp lost 10.0.0.0/8 02:00 UTC by web.yaml:3'];
    expect(whyNot(ports, '10.0.0.1', groupId('net:corp'))).toEqual(lost);
    const key = objectKey('network', 'corp');
    const [newest, oldest] = ports.changes.objectChanges(key, 2);
    if (newest === undefined || oldest === undefined) throw new Error('no history');
    const text = networkDifferenceText(key, oldest.text ?? '', newest.text ?? '');
    const changes = { ...ports.changes, objectChanges: () => [{ ...newest, text }, oldest] };
    expect(whyNot({ ...ports, changes }, '10.0.0.1', groupId('net:corp'))).toEqual(lost);
  });

  it('does not blame the profiles of an endpoint for what a network lacks', () => {
    const ports = world({ now: [endpoint('node-a/x', '10.0.0.1', ['web'])] });
    const membership = { ...ports.membership, isDefined: () => true } as Membership;
    expect(whyNot({ ...ports, membership }, '10.0.0.1', groupId('net:corp'))).toEqual([
      'nothing in the model puts 10.0.0.1 into net:corp, now or before as far as the history reaches',
    ]);
  });
});
