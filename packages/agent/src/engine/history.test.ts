import { type Member, sortMembers } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineWorld, endpoint, gone, list, network, profile, references } from './testing/engine-world.ts';

const config = { sets: { families: ['inet'], maxelem: 40 }, guard: 'off', resync: { headersSeconds: 2 } };
const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const addresses = fc.subarray(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5']);
const nets = fc.subarray(['0.0.0.0/0', '0.0.0.0/1', '10.0.0.0/8', '192.0.2.0/24']);
const profiles = fc.subarray(['p', 'q']);
const groups = fc.subarray(['tag:a', 'tag:b', 'net:n', 'list:l', 'tag:never']);

/** What can happen: to the model, to the kernel by somebody else, and to our own runs. */
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: pick('endpoint' as const), id: pick('x', 'y', 'z'), profiles, addresses }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: pick('profile' as const), id: pick('p', 'q'), tags: fc.subarray(['a', 'b', 'c']) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: pick('network' as const),
      nets,
      except: fc.subarray(['10.1.0.0/16', '172.16.0.0/12']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: pick('list' as const), members: fc.subarray(['tag:a', 'net:n', 'tag:never']) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('references' as const), id: pick('r', 's'), groups }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: pick('gone' as const), what: pick('x', 'y', 'p', 'q', 'n', 'l', 'r', 's') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('pass' as const), ms: fc.nat(3_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('killed' as const), after: fc.nat(8) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: pick('refused' as const), every: fc.integer({ min: 2, max: 5 }), for: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: pick('destroyed' as const), which: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: pick('meddled' as const), which: fc.nat(5), member: pick('10.0.0.1', '10.9.9.9') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: pick('used' as const), which: fc.nat(5), rules: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('reprogram' as const) }) },
);
type Happening = typeof event extends fc.Arbitrary<infer T> ? T : never;

describe('any history', () => {
  it('ends with the kernel as the model says, and nothing of ours left over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const w = new EngineWorld({ config });
        w.kernel.create('foreign', { type: 'hash:ip', family: 'inet' }, ['192.0.2.1']);
        for (const each of events) await happen(w, each);
        w.kernel.refuse = () => null;
        w.kernel.failAfterLines = null;
        for (const set of w.kernel.sets.values()) set.rules = 0;
        // Long enough for every pause of a refusal that was made on the way.
        await w.pass(700_000, 1_000);
        await w.settle();
        expect(kernelOf(w)).toEqual(wantedOf(w));
        expect(w.bugs).toEqual([]);
        // Rules that are gone in the end are what this problem is for.
        expect(w.codes.filter((code) => code !== 'no-longer-used')).toEqual([]);
        expect(w.engine.settled().failed).toEqual([]);
        expect(w.kernel.scripts.flat().filter((line) => line.startsWith('flush') || line.includes(' foreign'))).toEqual(
          [],
        );
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

async function happen(w: EngineWorld, each: Happening): Promise<void> {
  const names = [...w.kernel.sets.keys()].filter((name) => name.startsWith('sk-v4') || name.startsWith('sk-l'));
  switch (each.kind) {
    case 'endpoint':
      return w.change([endpoint(each.id, each.profiles, each.addresses)]);
    case 'profile':
      return w.change([profile(each.id, ...each.tags)]);
    case 'network':
      return w.change([network('n', each.nets, each.except)]);
    case 'list':
      return w.change([list('l', ...each.members)]);
    case 'references':
      return w.change([references(each.id, ...each.groups)]);
    case 'gone':
      return w.change([gone(kindOf(each.what), each.what)]);
    case 'pass':
      return w.pass(each.ms, 100);
    case 'killed':
      w.kernel.failAfterLines = each.after;
      return;
    case 'refused': {
      let asked = 0;
      w.kernel.refuse = () =>
        ++asked <= each.for && asked % each.every === 0 ? { code: 'unknown', message: 'no' } : null;
      return;
    }
    case 'destroyed': {
      const name = names[each.which % Math.max(1, names.length)];
      if (name !== undefined && w.kernel.references(name) === 0) w.kernel.sets.delete(name);
      return;
    }
    case 'meddled': {
      const set = w.kernel.sets.get(names[each.which % Math.max(1, names.length)] ?? ('' as never));
      if (set === undefined || set.header.type === 'list:set') return;
      if (!set.elements.delete(each.member)) set.elements.set(each.member, each.member as Member);
      return;
    }
    case 'used': {
      const set = w.kernel.sets.get(names[each.which % Math.max(1, names.length)] ?? ('' as never));
      if (set !== undefined) set.rules = each.rules;
      return;
    }
    case 'reprogram':
      await w.acts.reprogram({ groups: [], reprogram: true, all: true }, { actor: 'a' }).catch(() => undefined);
  }
}

const kindOf = (id: string) =>
  ({
    x: 'endpoint',
    y: 'endpoint',
    p: 'profile',
    q: 'profile',
    n: 'network',
    l: 'list',
    r: 'references',
    s: 'references',
  })[id] as 'endpoint';

/** Every set of the kernel with its elements. */
const kernelOf = (w: EngineWorld) =>
  Object.fromEntries([...w.kernel.sets].map(([name, { elements }]) => [name, sortMembers(elements.values())]));

/** What there should be, straight from the membership: every wanted group, no other set, and what is foreign. */
function wantedOf(w: EngineWorld) {
  const wanted = [...w.engine.state.registry.all()].filter((set) => {
    const { references: named, listed, documents } = w.engine.state;
    return named.isReferenced(set.group) || (documents.size === 0 && listed.has(set.group));
  });
  const sets = wanted.map((set): [string, readonly Member[]] => [set.name, sortMembers(set.desired.elements())]);
  return Object.fromEntries([...sets, ['foreign', ['192.0.2.1']]]);
}
