import { type Member, sortMembers } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import {
  address,
  EngineWorld,
  endpoint,
  gone,
  network,
  profile,
  references,
  type WorldOptions,
} from './testing/engine-world.ts';
import { SimpleKernel } from './testing/simple-kernel.ts';

const v4 = { sets: { families: ['inet'] } };
const world = (options: WorldOptions = {}) => new EngineWorld({ config: v4, ...options });
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => endpoint(`e${from + i}`, ['p'], [address(from + i + 1)]));
const without = (objects: readonly { id: string }[]) => objects.map(({ id }) => gone('endpoint', id));
const heldOf = (w: EngineWorld) => w.engine.state.held.all();
const act = { actor: 'maria' };

/** 100 endpoints of tag web, all in the kernel. */
async function fleet(options: WorldOptions = {}) {
  const w = world(options);
  const all = many(100);
  await w.apply(profile('p', 'web'), ...all);
  return { w, all };
}

describe('a change that takes too much', () => {
  it('waits as a whole: every addition is in, no removal is (invariant 4)', async () => {
    const { w, all } = await fleet();
    await w.apply(profile('q', 'db'), endpoint('d', ['q'], ['10.7.0.1', '10.7.0.2']));
    await w.apply(...without(all.slice(0, 60)), endpoint('d', ['q'], ['10.7.0.2', '10.7.0.3']));
    expect(w.inKernel('tag:web')).toHaveLength(100);
    expect(w.inKernel('tag:db')).toEqual(['10.7.0.1', '10.7.0.2', '10.7.0.3']);
    expect(heldOf(w)).toMatchObject([{ source: 'files', files: ['model.yaml'], objects: 61, state: 'held' }]);
    expect(w.codes).toContain('change-held');
    expect(w.engine.settled()).toMatchObject({ settled: true, held: 1 });
  });

  it('does not stop other changes, nor small removals', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    await w.apply(...without(all.slice(60, 65)), ...many(3, 500));
    expect(w.inKernel('tag:web')).toHaveLength(98);
    expect(heldOf(w)).toHaveLength(1);
  });

  it('goes through once when released, as a run with its cause', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    const [change] = heldOf(w);
    const started = await w.acts.release(change?.id ?? '', act);
    expect(await started.ended).toMatchObject({
      phase: 'succeeded',
      cause: 'release',
      actor: 'maria',
      operations: { applied: 61 },
    });
    expect(w.inKernel('tag:web')).toHaveLength(40);
    expect(heldOf(w)).toEqual([]);
    expect(w.codes).not.toContain('change-held');
    await w.apply(...many(100));
    await w.apply(...without(all.slice(0, 60)));
    expect(heldOf(w)).toHaveLength(1);
  });

  it('is released by its digest alone', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    const id = heldOf(w)[0]?.id ?? '';
    await expect(w.acts.release(id, { ...act, digest: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'digest-stale',
    });
    await expect(w.acts.release('h99', act)).rejects.toMatchObject({ code: 'not-found' });
    expect(w.inKernel('tag:web')).toHaveLength(100);
  });

  it('is cleared when the source takes it back', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    await w.apply(...all.slice(0, 59));
    expect(heldOf(w)).toHaveLength(1);
    await w.apply(...all.slice(59, 60));
    expect(heldOf(w)).toEqual([]);
    expect(w.codes).not.toContain('change-held');
    expect(w.inKernel('tag:web')).toHaveLength(100);
  });

  it('stays out when rejected, until the source changes', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    expect(await w.acts.reject(heldOf(w)[0]?.id ?? '', act)).toMatchObject({ state: 'rejected' });
    await w.settle();
    expect(w.engine.settled().held).toBe(0);
    expect(w.codes).not.toContain('change-held');
    expect(w.inKernel('tag:web')).toHaveLength(100);
    await w.apply(...without(all.slice(60, 61)));
    expect(w.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(w)).toMatchObject([{ state: 'held' }]);
  });

  it('is still held after a restart, under its id, and no more than it', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    const id = heldOf(w)[0]?.id;
    const again = await w.restart({ config: v4 });
    await again.settle();
    expect(again.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(again).map((change) => change.id)).toEqual([id]);
    const started = await again.acts.release(id ?? '', act);
    await started.ended;
    expect(again.inKernel('tag:web')).toHaveLength(40);
  });

  it('is forgotten when a restart finds a kernel that has nothing of it', async () => {
    const { w, all } = await fleet();
    await w.apply(gone('profile', 'p'), ...without(all));
    expect(heldOf(w)).toHaveLength(1);
    const again = await w.restart({ config: v4, kernel: new SimpleKernel() });
    await again.settle();
    expect(heldOf(again)).toEqual([]);
    expect(again.codes).not.toContain('change-held');
    expect([...again.engine.state.registry.all()]).toEqual([]);
  });

  it('is judged before an operator sends anything along with it', async () => {
    const { w, all } = await fleet();
    w.change(without(all.slice(0, 60)));
    const applied = await w.acts.apply({ groups: ['tag:web'], reprogram: false, all: false }, act);
    expect(await applied.ended).toMatchObject({ phase: 'succeeded', lines: 0 });
    w.change(without(all.slice(60, 65)));
    await (await w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act)).ended;
    await w.settle();
    expect(w.inKernel('tag:web')).toHaveLength(95);
    expect(heldOf(w)).toMatchObject([{ sets: [{ of: 100 }] }]);
  });

  it('is kept when a set of very many members is written again, in slices', async () => {
    const { w } = await fleet();
    const all = many(6_000, 100);
    await w.apply(...all);
    await w.apply(...without(all.slice(0, 4_000)));
    expect(heldOf(w)).toHaveLength(1);
    const wanted = sortMembers(w.inKernel('tag:web') as Member[]);
    expect(wanted).toHaveLength(6_100);
    await (await w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act)).ended;
    const adds = (w.kernel.scripts.at(-1) ?? []).flatMap((line) =>
      line.startsWith('add ') ? [line.split(' ')[2]] : [],
    );
    expect(adds).toEqual(wanted);
  });

  it('stays rejected over a restart, which is no change of its source', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    await w.acts.reject(heldOf(w)[0]?.id ?? '', act);
    const again = await w.restart({ config: v4 });
    await again.settle();
    expect(again.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(again)).toMatchObject([{ state: 'rejected' }]);
    await again.apply(...without(all.slice(60, 61)));
    expect(heldOf(again)).toMatchObject([{ state: 'held' }]);
    expect(again.inKernel('tag:web')).toHaveLength(100);
  });

  it('is judged at start against what the kernel has', async () => {
    const { w, all } = await fleet();
    const small = new EngineWorld({ config: v4, kernel: w.kernel, isSilent: true });
    small.change([profile('p', 'web'), ...all.slice(0, 30)]);
    small.sources({ files: 'current' });
    small.engine.start();
    await small.settle();
    expect(small.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(small)).toMatchObject([{ source: 'files', sets: [{ group: 'tag:web', of: 100 }] }]);
  });

  it('lets no removal pass after the store was set aside', async () => {
    const { w, all } = await fleet();
    w.store.wasSetAside = true;
    w.store.facts.clear();
    const small = new EngineWorld({ config: v4, kernel: w.kernel, store: w.store, isSilent: true });
    small.change([profile('p', 'web'), ...all.slice(0, 99)]);
    small.sources({ files: 'current' });
    small.engine.start();
    await small.settle();
    expect(small.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(small)[0]?.why[0]).toContain('set aside');
  });

  it('waits where five sets vanish at once, and the sets go on being updated', async () => {
    const w = world();
    const tags = ['a', 'b', 'c', 'd', 'e'];
    await w.apply(profile('p', ...tags), endpoint('e', ['p'], ['10.0.0.1']));
    await w.apply(profile('p'));
    expect(w.inKernel('tag:a')).toEqual(['10.0.0.1']);
    expect(heldOf(w)[0]?.why).toContain('5 managed sets vanish at once');
    const started = await w.acts.release(heldOf(w)[0]?.id ?? '', act);
    await started.ended;
    await w.settle();
    expect([...w.kernel.sets.keys()]).toEqual([]);
  });

  it('waits where a used set would be emptied, and passes where an unused one is', async () => {
    const w = world();
    await w.apply(network('used', ['10.0.0.0/8']), network('unused', ['10.0.0.0/8']));
    w.kernel.use(w.name('net:used'));
    await w.apply(network('used', []), network('unused', []));
    expect(w.inKernel('net:used')).toEqual(['10.0.0.0/8']);
    expect(heldOf(w)).toHaveLength(1);
    await w.acts.reject(heldOf(w)[0]?.id ?? '', act);
    await w.apply(network('other', []));
    await w.apply(network('used', ['10.0.0.0/8']));
    await w.apply(network('unused', ['10.0.0.0/8']));
    await w.apply(network('unused', []));
    expect(w.inKernel('net:unused')).toEqual([]);
  });

  it('never empties a used set whose group is gone, even with the guard off (invariant 3)', async () => {
    const w = world({ config: { ...v4, guard: 'off' } });
    await w.apply(profile('p', 'web'), ...many(3), references('r', 'tag:web'));
    w.kernel.use(w.name('tag:web'));
    await w.apply(gone('profile', 'p'), gone('references', 'r'));
    expect(w.inKernel('tag:web')).toHaveLength(3);
    expect(heldOf(w)).toHaveLength(1);
    expect(w.kernel.scripts.flat().filter((line) => line.startsWith('del') || line.startsWith('destroy'))).toEqual([]);
  });

  it('waits where a source lost all it had, however little that was', async () => {
    const w = world();
    await w.apply(profile('p', 'web'), ...many(3));
    await w.apply(gone('profile', 'p'), ...without(many(3)));
    expect(w.inKernel('tag:web')).toHaveLength(3);
    expect(heldOf(w)[0]?.why).toEqual(['the source files lost all of its 4 objects']);
    expect(w.codes).toContain('source-shrunk');
    await w.apply(profile('p', 'web'), ...many(3));
    expect(w.codes).not.toContain('source-shrunk');
    expect(heldOf(w)).toEqual([]);
  });

  it('is one change though it arrives as many', async () => {
    const { w, all } = await fleet();
    w.kernel.onStep = (what) => {
      if (what !== 'execute') return;
      w.kernel.onStep = () => {};
      for (const each of all.slice(1)) w.change([gone('endpoint', each.id)]);
    };
    await w.apply(gone('endpoint', all[0]?.id ?? ''));
    expect(w.inKernel('tag:web')).toHaveLength(99);
    expect(heldOf(w)).toHaveLength(1);
  });

  it('keeps what it holds when the set is written again', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    const started = await w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act);
    expect((await started.ended).phase).toBe('succeeded');
    await w.settle();
    expect(w.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(w)).toHaveLength(1);
  });

  it('keeps what it holds when somebody destroyed the set: it comes back as it was programmed', async () => {
    const { w, all } = await fleet();
    await w.apply(...without(all.slice(0, 60)));
    w.kernel.sets.delete(w.name('tag:web'));
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toHaveLength(100);
    expect(heldOf(w)).toHaveLength(1);
  });
});

describe('a foreign set that was handed over', () => {
  const config = { sets: { families: ['inet'], adopt: { blacklist: 'net:blacklist' } } };
  const start = async (members: string[]) => {
    const w = new EngineWorld({ config, isSilent: true });
    w.kernel.create('blacklist', { type: 'hash:net', family: 'inet', maxelem: 65_536, timeout: 0 }, [
      '10.0.0.0/8',
      '192.0.2.0/24',
    ]);
    w.kernel.use('blacklist');
    w.change([network('blacklist', members)]);
    w.sources({ files: 'current' });
    w.engine.start();
    await w.settle();
    return w;
  };

  it('is not written before its first change was released once', async () => {
    const w = await start(['10.0.0.0/8', '198.51.100.0/24']);
    expect(w.kernel.members('blacklist')).toEqual(['10.0.0.0/8', '192.0.2.0/24']);
    expect(heldOf(w)).toMatchObject([{ kind: 'hand-over', sets: [{ group: 'net:blacklist', adds: 1, of: 2 }] }]);
    const started = await w.acts.release(heldOf(w)[0]?.id ?? '', act);
    expect((await started.ended).phase).toBe('succeeded');
    expect(w.kernel.members('blacklist')).toEqual(['10.0.0.0/8', '198.51.100.0/24']);
    await w.apply(network('blacklist', ['10.0.0.0/8', '198.51.100.0/24', '203.0.113.0/24']));
    expect(w.kernel.members('blacklist')).toHaveLength(3);
    expect(w.kernel.sets.get('blacklist' as never)?.header.timeout).toBe(0);
    expect([...w.kernel.sets.keys()]).toEqual(['blacklist']);
  });

  it('is in conflict if its type does not fit, and never destroyed (invariant 5)', async () => {
    const w = new EngineWorld({ config, isSilent: true });
    w.kernel.create('blacklist', { type: 'hash:ip', family: 'inet', maxelem: 65_536 }, ['10.0.0.1']);
    w.change([network('blacklist', ['10.0.0.0/8'])]);
    w.sources({ files: 'current' });
    w.engine.start();
    await w.settle();
    expect(w.codes).toContain('header-conflict');
    await w.apply(gone('network', 'blacklist'), network('x', []));
    expect(w.kernel.members('blacklist')).toEqual(['10.0.0.1']);
  });
});
