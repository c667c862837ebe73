import type { Member, SetName } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import { EngineWorld, endpoint, network, profile, type WorldOptions } from './testing/engine-world.ts';

const v4 = { sets: { families: ['inet'] } };
const world = (options: WorldOptions = {}) => new EngineWorld({ config: v4, ...options });
const web = (...addresses: string[]) => [profile('p', 'web'), endpoint('e', ['p'], addresses)];
const elements = (w: EngineWorld, group: string) => {
  const found = w.kernel.sets.get(w.name(group));
  if (found === undefined) throw new Error(`no ${group}`);
  return found.elements;
};

describe('what somebody else does to our sets', () => {
  it('is found, shown and repaired by delta (G17)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    elements(w, 'tag:web').delete('10.0.0.2');
    elements(w, 'tag:web').set('10.0.0.3', '10.0.0.3' as Member);
    elements(w, 'tag:web').set('10.0.0.4', '10.0.0.4' as Member);
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(w.kernel.scripts.at(-1)).toEqual([
      'create sk-v4-t.web',
      'del sk-v4-t.web 10.0.0.3',
      'del sk-v4-t.web 10.0.0.4',
      'add sk-v4-t.web 10.0.0.2',
    ]);
    expect(w.store.drift).toMatchObject([
      { kind: 'members', added: 2, removed: 1, sampleAdded: ['10.0.0.3', '10.0.0.4'], repairRun: w.runs.at(-1)?.id },
    ]);
    expect(w.runs.at(-1)?.cause).toBe('drift');
    expect(w.codes).toEqual([]);
  });

  it('is found by reading members where the count did not change', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    elements(w, 'tag:web').delete('10.0.0.2');
    elements(w, 'tag:web').set('10.0.0.3', '10.0.0.3' as Member);
    expect(await w.engine.drift.check(w.set('tag:web'))).toBe('drift');
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(await w.engine.drift.check(w.set('tag:web'))).toBe('same');
  });

  it('is no drift where a second reading does not confirm it', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    let readings = 0;
    w.kernel.onStep = (what) => {
      if (what !== 'members') return;
      if (++readings === 1) elements(w, 'tag:web').delete('10.0.0.2');
      else elements(w, 'tag:web').set('10.0.0.2', '10.0.0.2' as Member);
    };
    expect(await w.engine.drift.check(w.set('tag:web'))).toBe('same');
    expect(w.store.drift).toEqual([]);
  });

  it('says nothing of members of a set that was made anew with another type: its header tells what happened', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.sets.delete(w.name('tag:web'));
    w.kernel.create(w.name('tag:web'), { type: 'hash:net', family: 'inet', maxelem: 1_048_576 });
    expect(await w.engine.drift.check(w.set('tag:web'))).toBe('unclear');
    expect(w.store.drift).toEqual([]);
    await w.pass(12_000, 200);
    expect(w.store.drift).toMatchObject([{ kind: 'retyped', repairRun: expect.any(String) }]);
  });

  it('is only reported with repair off, and model changes go on', async () => {
    const w = world({ config: { ...v4, resync: { repair: false } } });
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    elements(w, 'tag:web').set('10.0.0.9', '10.0.0.9' as Member);
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toContain('10.0.0.9');
    expect(w.codes).toContain('drift');
    await w.apply(endpoint('e', ['p'], ['10.0.0.1', '10.0.0.3']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.3', '10.0.0.9']);
    const started = await w.acts.apply({ groups: ['tag:web'], reprogram: false, all: false }, { actor: 'a' });
    await started.ended;
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.3']);
    expect(w.codes).not.toContain('drift');
  });

  it('is over when somebody takes back what he did, with repair off too', async () => {
    const w = world({ config: { ...v4, resync: { repair: false } } });
    await w.apply(...web('10.0.0.1'));
    elements(w, 'tag:web').set('10.0.0.9', '10.0.0.9' as Member);
    await w.pass(12_000, 200);
    expect(w.codes).toContain('drift');
    elements(w, 'tag:web').delete('10.0.0.9');
    await w.pass(12_000, 200);
    expect(w.codes).toEqual([]);
    expect(w.set('tag:web').drift).toBeNull();
  });

  describe('is what a read-back after a failure finds that our lines do not account for', () => {
    const byHand = async (repair: boolean, fail: (w: EngineWorld) => void) => {
      const w = world({ config: { ...v4, resync: { repair } } });
      await w.apply(...web('10.0.0.1', '10.0.0.2'));
      elements(w, 'tag:web').delete('10.0.0.2');
      elements(w, 'tag:web').set('10.0.0.9', '10.0.0.9' as Member);
      fail(w);
      w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3', '10.0.0.4'])]);
      await w.pass(5_000);
      return w;
    };
    const failures = [
      [
        'a member was refused',
        (w: EngineWorld) => {
          let refusals = 0;
          w.kernel.refuse = (operation) =>
            operation.op === 'add' && operation.member === '10.0.0.4' && ++refusals === 1
              ? { code: 'full', message: 'Hash is full' }
              : null;
        },
      ],
      [
        'the run broke off',
        (w: EngineWorld) => {
          w.kernel.failAfterLines = 2;
        },
      ],
    ] as const;

    it.each(failures)('%s: it stays with repair off, and what failed is done again', async (_, fail) => {
      const w = await byHand(false, fail);
      expect(w.inKernel('tag:web')).toEqual(['10.0.0.3', '10.0.0.4', '10.0.0.9']);
      expect(w.set('tag:web').drift).toMatchObject({ missing: new Set(['10.0.0.2']), extra: new Set(['10.0.0.9']) });
      const failed = w.store.runs.get(w.runs.find(({ phase }) => phase !== 'succeeded')?.id ?? '');
      expect(failed?.readBack.get('sk-v4-t.web')).toContain('of the 3 wanted, and 1 that are not wanted.');
      expect(w.codes).toEqual(['drift']);
    });

    it.each(failures)('%s: it is repaired with repair on, and told', async (_, fail) => {
      const w = await byHand(true, fail);
      expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4']);
      expect(w.store.drift).toMatchObject([{ kind: 'members', added: 1, removed: 1, repairRun: expect.any(String) }]);
      expect(w.codes).toEqual([]);
    });
  });

  it('is repaired no sooner than a fight over the set allows', async () => {
    let until = Number.POSITIVE_INFINITY;
    const w = world({ ports: { repairPausedUntil: () => until } });
    await w.apply(...web('10.0.0.1'));
    elements(w, 'tag:web').clear();
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual([]);
    until = w.clock.now() + 5_000;
    w.engine.reviewAll();
    await w.pass(4_000, 200);
    expect(w.inKernel('tag:web')).toEqual([]);
    await w.pass(2_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
  });

  it.each([
    ['retyped', { type: 'hash:net', family: 'inet', maxelem: 64 }],
    ['family', { type: 'hash:ip', family: 'inet6', maxelem: 1_048_576 }],
    ['header', { type: 'hash:ip', family: 'inet', maxelem: 64 }],
  ] as const)('comes back right when it was made anew with another header: %s', async (kind, header) => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.sets.delete(w.name('tag:web'));
    w.kernel.create(w.name('tag:web'), header);
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.kernel.sets.get(w.name('tag:web'))?.header).toMatchObject({
      type: 'hash:ip',
      family: 'inet',
      maxelem: 1_048_576,
    });
    expect(w.store.drift).toMatchObject([{ kind, repairRun: expect.any(String) }]);
    expect(w.codes).toEqual([]);
  });

  it('comes back right when two of our sets were swapped or one was flushed', async () => {
    const w = world();
    await w.apply(
      profile('p', 'web'),
      profile('q', 'db'),
      endpoint('a', ['p'], ['10.0.0.1']),
      endpoint('b', ['q'], ['10.0.0.2', '10.0.0.3']),
    );
    const [a, b] = [w.kernel.sets.get(w.name('tag:web')), w.kernel.sets.get(w.name('tag:db'))];
    if (a === undefined || b === undefined) throw new Error('no sets');
    w.kernel.sets.set(w.name('tag:web'), { ...b, header: a.header });
    w.kernel.sets.set(w.name('tag:db'), { ...a, header: b.header });
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.inKernel('tag:db')).toEqual(['10.0.0.2', '10.0.0.3']);
    elements(w, 'tag:db').clear();
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:db')).toEqual(['10.0.0.2', '10.0.0.3']);
  });

  it('is not what our own runs do while a set is read', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    let isFirst = true;
    w.kernel.onStep = async (what) => {
      if (what !== 'members' || !isFirst) return;
      isFirst = false;
      w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3'])]);
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      w.clock.advance(100);
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    };
    expect(await w.engine.drift.check(w.set('tag:web'))).not.toBe('drift');
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
    expect(w.store.drift).toEqual([]);
  });

  it('takes out a member of a list that can only be shown, by writing the list anew', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), network('n', ['10.0.0.0/8']), {
      kind: 'list',
      id: 'l',
      members: ['tag:web' as never],
    });
    w.kernel.create('a name', { type: 'hash:ip', family: 'inet' });
    w.kernel.sets.get('sk-l.l' as SetName)?.elements.set('a name', 'a name' as Member);
    await w.pass(12_000, 200);
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-t.web']);
    expect(w.kernel.scripts.at(-1)?.some((line) => line.startsWith('swap '))).toBe(true);
  });
});
