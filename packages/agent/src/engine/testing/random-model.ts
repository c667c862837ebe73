import { type Member, sortMembers } from '@setkeeper/ipset';
import fc from 'fast-check';
import type { ObjectKind } from '../../model/objects.ts';
import { type EngineWorld, endpoint, gone, list, network, profile, references } from './engine-world.ts';

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const ipv4 = fc.subarray(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5']);
const ipv6 = fc.subarray(['2001:db8::1', '2001:db8::2', '2001:db8::3']);
const nets = fc.subarray(['0.0.0.0/0', '0.0.0.0/1', '10.0.0.0/8', '192.0.2.0/24']);
const except = fc.subarray(['10.1.0.0/16', '172.16.0.0/12']);
const profiles = fc.subarray(['p', 'q']);
const groups = fc.subarray(['tag:a', 'tag:b', 'net:n', 'list:l', 'tag:never']);

/** What can happen to a small model. */
export const modelEvent = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: pick('endpoint' as const), id: pick('x', 'y', 'z'), profiles, ipv4, ipv6 }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: pick('profile' as const), id: pick('p', 'q'), tags: fc.subarray(['a', 'b', 'c']) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('network' as const), nets, except }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: pick('list' as const), members: fc.subarray(['tag:a', 'net:n', 'tag:never']) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('references' as const), id: pick('r', 's'), groups }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: pick('gone' as const), what: pick('x', 'y', 'p', 'q', 'n', 'l', 'r', 's') }),
  },
);
export type ModelEvent = typeof modelEvent extends fc.Arbitrary<infer T> ? T : never;

/** Tells the engine of it. */
export function applyModelEvent(w: EngineWorld, event: ModelEvent): void {
  switch (event.kind) {
    case 'endpoint':
      w.change([endpoint(event.id, event.profiles, event.ipv4, event.ipv6)]);
      return;
    case 'profile':
      w.change([profile(event.id, ...event.tags)]);
      return;
    case 'network':
      w.change([network('n', event.nets, event.except)]);
      return;
    case 'list':
      w.change([list('l', ...event.members)]);
      return;
    case 'references':
      w.change([references(event.id, ...event.groups)]);
      return;
    case 'gone':
      w.change([gone(KINDS[event.what] ?? 'endpoint', event.what)]);
  }
}

const KINDS: Readonly<Record<string, ObjectKind>> = {
  x: 'endpoint',
  y: 'endpoint',
  p: 'profile',
  q: 'profile',
  n: 'network',
  l: 'list',
  r: 'references',
  s: 'references',
};

/** What the kernel should have of ours, straight from the membership: every wanted group, and no other set. */
export function wantedSets(w: EngineWorld): Record<string, readonly Member[]> {
  const { references: named, listed, documents, registry } = w.engine.state;
  const wanted = [...registry.all()].filter(
    ({ group }) => named.isReferenced(group) || (documents.size === 0 && listed.has(group)),
  );
  return Object.fromEntries(
    wanted.map((set): [string, readonly Member[]] => [set.name, sortMembers(set.desired.elements())]),
  );
}
