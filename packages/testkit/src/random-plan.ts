import {
  desiredHeader,
  type Family,
  type ManagedType,
  type Member,
  memberKey,
  type SetHeader,
  type SetName,
} from '@setkeeper/ipset';
import { seededRandom } from './random-number.ts';

/** A section of a plan, in the shape of the agent's. */
export interface SectionSketch {
  readonly group: null;
  readonly family: Family | null;
  readonly set: SetName;
  readonly how: 'delta' | 'create' | 'rewrite' | 'destroy';
  readonly header: SetHeader | null;
  readonly temp: SetName | null;
  readonly createMain: boolean;
  readonly recreate?: boolean;
  readonly dels: readonly Member[];
  readonly adds: readonly Member[];
  readonly before: number;
  readonly after: number;
}

/** Something that somebody else does to the sets, as restore lines. */
export interface ForeignAct {
  readonly lines: readonly string[];
}

/** A random plan, and what others did before it. The same for the same seed. */
export interface RandomPlan {
  readonly seed: number;
  readonly foreign: readonly ForeignAct[];
  readonly sections: readonly SectionSketch[];
  /** The kinds of bad lines in it. */
  readonly badKinds: ReadonlySet<string>;
}

interface PoolSet {
  readonly name: SetName;
  readonly type: ManagedType;
  readonly family: Family | null;
  readonly maxelem: number;
}

/** maxelem of the set that is to be full. */
const FULL = 8;

const name = (text: string): SetName => text as SetName;
const hash = (text: string, type: ManagedType, family: Family, maxelem = 65_536): PoolSet => ({
  name: name(text),
  type,
  family,
  maxelem,
});

/** The sets that random plans work on. */
export const RANDOM_PLAN_SETS: readonly PoolSet[] = [
  hash('sk-v4-t.a', 'hash:ip', 'inet'),
  hash('sk-v4-t.b', 'hash:ip', 'inet'),
  hash('sk-v6-t.a', 'hash:ip', 'inet6'),
  hash('sk-v4-t.full', 'hash:ip', 'inet', FULL),
  hash('sk-v4-n.a', 'hash:net', 'inet'),
  hash('sk-v6-n.a', 'hash:net', 'inet6'),
  hash('sk-v4-p.a', 'hash:ip,port', 'inet'),
  hash('sk-v6-p.a', 'hash:ip,port', 'inet6'),
  { name: name('sk-l.a'), type: 'list:set', family: null, maxelem: 0 },
  { name: name('sk-l.b'), type: 'list:set', family: null, maxelem: 0 },
];

/** Sets of somebody else, which no plan may touch. */
export const FOREIGN_SETS = ['foreign', 'f2b-sshd'];

type Random = ReturnType<typeof seededRandom>;

/** A plan of up to `sectionsMax` sections with about one bad line in twelve, of more than twenty kinds. */
export function randomPlan(seed: number, { sectionsMax = 7, membersMax = 16 } = {}): RandomPlan {
  const random = seededRandom(seed);
  const badKinds = new Set<string>();
  const count = 1 + number(random, sectionsMax);
  const sets = [...RANDOM_PLAN_SETS].sort(() => random() - 0.5).slice(0, count);
  const sections = sets.map((set, index) => section(random, set, `${seed}-${index}`, badKinds, membersMax));
  return { seed, foreign: foreignActs(random), sections: inOrder(sections), badKinds };
}

function section(
  random: Random,
  set: PoolSet,
  unique: string,
  badKinds: Set<string>,
  membersMax: number,
): SectionSketch {
  const dice = random();
  const how = dice < 0.5 ? 'delta' : dice < 0.75 ? 'rewrite' : dice < 0.85 ? 'create' : 'destroy';
  const wanted = how === 'destroy' ? set : strange(random, set, badKinds);
  const adds = how === 'destroy' ? [] : members(random, wanted, badKinds, number(random, membersMax));
  // The kernel puts an element into a full set after all where its bucket has the place of a deleted one (mtype_add of
  // ip_set_hash_gen.h), which chance decides: nothing is ever deleted from the set that is to be full.
  const dels = how === 'delta' && set.maxelem !== FULL ? members(random, wanted, badKinds, number(random, 6)) : [];
  const keys = new Set(adds.map(memberKey));
  return {
    group: null,
    family: set.family,
    set: set.name,
    how,
    header: how === 'destroy' ? null : desiredHeader({ ...wanted, members: adds.length }),
    temp: how === 'rewrite' ? name(`sk-tmp-${unique}`) : null,
    createMain: how === 'rewrite' && random() < 0.5,
    ...(how === 'create' && random() < 0.3 ? { recreate: true } : {}),
    dels: dels.filter((member) => !keys.has(memberKey(member))),
    adds,
    before: 0,
    after: adds.length,
  };
}

/** Now and then the header is another one than the set in the kernel was made with. */
function strange(random: Random, set: PoolSet, badKinds: Set<string>): PoolSet {
  const dice = random();
  if (set.type === 'list:set') return set;
  if (dice < 0.03) return noting(badKinds, 'other-maxelem', { ...set, maxelem: 1000 });
  if (dice < 0.06)
    return noting(badKinds, 'other-family', { ...set, family: set.family === 'inet' ? 'inet6' : 'inet' });
  if (dice < 0.09)
    return noting(badKinds, 'other-type', { ...set, type: set.type === 'hash:ip' ? 'hash:net' : 'hash:ip' });
  if (dice < 0.1) return noting(badKinds, 'list-instead', { ...set, type: 'list:set', family: null });
  return set;
}

function members(random: Random, set: PoolSet, badKinds: Set<string>, count: number): readonly Member[] {
  const byKey = new Map<string, Member>();
  for (let i = 0; i < count; i++) {
    const bad = random() < 0.08 ? badMember(random, set) : null;
    if (bad !== null) badKinds.add(bad[0]);
    const member = (bad === null ? goodMember(random, set, Math.max(24, count * 2)) : bad[1]) as Member;
    byKey.set(memberKey(member), member);
  }
  return [...byKey.values()];
}

function goodMember(random: Random, { type, family }: PoolSet, hosts: number): string {
  const host = 1 + number(random, hosts);
  const [high, low] = [host >> 8, host & 255];
  const address = family === 'inet6' ? `2001:db8::${host.toString(16)}` : `198.18.${high}.${low}`;
  switch (type) {
    case 'hash:ip':
      return address;
    case 'hash:ip,port':
      return `${address},${pick(random, ['tcp', 'udp', 'sctp'])}:${1 + number(random, 4)}`;
    case 'hash:net':
      return `${family === 'inet6' ? `2001:db8:${host.toString(16)}::/48` : `10.${high}.${low}.0/24`}${random() < 0.2 ? ' nomatch' : ''}`;
    case 'list:set':
      return pick(random, ['sk-v4-t.a', 'sk-v4-t.b', 'sk-v6-t.a', 'sk-v4-n.a']);
  }
}

/** A member that this type refuses, and the kind of its fault. What ipset would take in silence is not among them. */
function badMember(random: Random, { type, family }: PoolSet): readonly [string, string] {
  const everywhere: (readonly [string, string])[] = [
    ['unwritable', 'x y'],
    ['option', '-exist'],
    ['second-command', '192.0.2.1\ndestroy foreign'],
  ];
  if (type !== 'list:set') everywhere.push(['host-name', 'localhost']);
  return pick(random, [...everywhere, ...BAD_MEMBERS[type][family ?? 'inet']]);
}

const BAD_MEMBERS: Readonly<Record<ManagedType, Readonly<Record<Family, readonly (readonly [string, string])[]>>>> = {
  'hash:ip': {
    inet: [
      ['ipv6-in-inet', '2001:db8::1'],
      ['null-address', '0.0.0.0'],
      ['nomatch-in-hash-ip', '192.0.2.77 nomatch'],
      ['port-in-hash-ip', '192.0.2.1,tcp:80'],
    ],
    inet6: [
      ['ipv4-in-inet6', '192.0.2.1'],
      ['null-address-6', '::'],
      ['network-in-hash-ip-6', '2001:db8::/64'],
      ['nomatch-in-hash-ip', '2001:db8::77 nomatch'],
    ],
  },
  'hash:net': {
    inet: [
      ['everything', '0.0.0.0/0'],
      ['ipv6-in-net', '2001:db8::/32'],
      ['port-in-net', '192.0.2.1,tcp:80'],
    ],
    inet6: [
      ['everything-6', '::/0'],
      ['ipv4-in-net-6', '10.0.0.0/8'],
    ],
  },
  'hash:ip,port': {
    inet: [
      ['port-missing', '192.0.2.1'],
      ['port-is-no-number', '192.0.2.1,tcp:echo-request'],
      ['icmp-is-no-type', '192.0.2.1,icmp:80'],
      ['null-address-port', '0.0.0.0,tcp:80'],
      ['ipv6-in-ip-port', '2001:db8::1,tcp:80'],
    ],
    inet6: [
      ['port-missing-6', '2001:db8::1'],
      ['ipv4-in-ip-port-6', '192.0.2.1,udp:53'],
    ],
  },
  'list:set': {
    inet: [
      ['member-missing', 'nosuch'],
      ['list-in-list', 'sk-l.b'],
      ['list-in-itself', 'sk-l.a'],
      ['address-in-list', '192.0.2.1'],
    ],
    inet6: [['member-missing', 'nosuch']],
  },
};

/** Others retype, destroy or empty our sets, or change their own. */
function foreignActs(random: Random): readonly ForeignAct[] {
  const acts: ForeignAct[] = [];
  if (random() < 0.3) {
    const set = pick(
      random,
      RANDOM_PLAN_SETS.filter(({ type }) => type !== 'list:set'),
    );
    const type = pick(random, ['hash:ip', 'hash:net', 'hash:ip,port']);
    const family = pick(random, ['inet', 'inet6']);
    acts.push({
      lines: [`destroy ${set.name}`, `create ${set.name} ${type} family ${family} hashsize 64 maxelem ${set.maxelem}`],
    });
  }
  if (random() < 0.15) acts.push({ lines: [`destroy ${pick(random, RANDOM_PLAN_SETS).name}`] });
  if (random() < 0.15) acts.push({ lines: [`flush ${pick(random, RANDOM_PLAN_SETS).name}`] });
  return acts;
}

/** Hash sets, then lists, then destroys, lists first. */
function inOrder(sections: readonly SectionSketch[]): readonly SectionSketch[] {
  const rank = ({ how, header, set }: SectionSketch): number => {
    if (how === 'destroy') return set.startsWith('sk-l.') ? 2 : 3;
    return header?.type === 'list:set' ? 1 : 0;
  };
  return [...sections].sort((a, b) => rank(a) - rank(b));
}

function noting<T>(kinds: Set<string>, kind: string, value: T): T {
  kinds.add(kind);
  return value;
}

const number = (random: Random, below: number): number => Math.floor(random() * below);

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[number(random, from.length)];
  if (picked === undefined) throw new RangeError('nothing to pick from');
  return picked;
}
