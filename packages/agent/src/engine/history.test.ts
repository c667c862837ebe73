import { type Member, sortMembers } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineWorld } from './testing/engine-world.ts';
import { applyModelEvent, modelEvent, wantedSets } from './testing/random-model.ts';

const config = { sets: { families: ['inet'], maxelem: 40 }, guard: 'off', resync: { headersSeconds: 2 } };
const pick = <T>(...values: T[]) => fc.constantFrom(...values);

/** What can happen besides: to the kernel by somebody else, and to our own runs. */
const event = fc.oneof(
  { weight: 15, arbitrary: fc.record({ kind: pick('model' as const), change: modelEvent }) },
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
        await releaseUndefined(w);
        // Elements exchanged by hand leave the counts as they were: what the rotation of member readings is for.
        for (const set of w.engine.state.registry.all()) await w.engine.drift.check(set);
        await w.settle();
        expect(kernelOf(w)).toEqual({ ...wantedSets(w), foreign: ['192.0.2.1'] });
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
    case 'model':
      applyModelEvent(w, each.change);
      return;
    case 'pass':
      await w.pass(each.ms, 100);
      return;
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

/** A set that is used while nothing defines its group is emptied by nobody but an operator, also where the guard is off. */
async function releaseUndefined(w: EngineWorld): Promise<void> {
  for (const { id, why } of w.engine.state.held.all()) {
    expect(why.filter((each) => !each.endsWith(' is used, and its group is no longer defined'))).toEqual([]);
    await (await w.acts.release(id, { actor: 'a' })).ended;
    await w.settle();
  }
}

/** Every set of the kernel with its elements. */
const kernelOf = (w: EngineWorld) =>
  Object.fromEntries([...w.kernel.sets].map(([name, { elements }]) => [name, sortMembers(elements.values())]));
