import { describe, expect, it } from 'vitest';
import {
  address,
  EngineWorld,
  endpoint,
  list,
  network,
  profile,
  references,
  type WorldOptions,
} from './testing/engine-world.ts';

const v4 = { sets: { families: ['inet'] } };
const silent = (options: WorldOptions = {}) => new EngineWorld({ config: v4, isSilent: true, ...options });
const web = (...addresses: string[]) => [profile('p', 'web'), endpoint('e', ['p'], addresses)];
const header = { type: 'hash:ip', family: 'inet', maxelem: 1_048_576 } as const;

describe('an engine that starts', () => {
  it('waits for every source, and says for which (F2, F3)', async () => {
    const w = silent();
    w.sources({ files: 'current', etcd: 'stale' });
    w.engine.start();
    w.change(web('10.0.0.1'));
    await w.pass(5_000);
    expect(w.kernel.scripts).toEqual([]);
    expect(w.engine.settled()).toMatchObject({ settled: false });
    await expect(w.acts.apply({ groups: [], reprogram: false, all: true }, { actor: 'a' })).rejects.toMatchObject({
      code: 'not-ready',
    });
    w.sources({ files: 'current', etcd: 'current' });
    w.sources({ files: 'current', etcd: 'current' });
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
  });

  it('programs from what it has when a source takes too long, and lets wait what only that source would remove', async () => {
    const w = silent();
    w.kernel.create(w.name('tag:web'), header, ['10.0.0.1', '10.0.0.9']);
    w.kernel.create('sk-tmp-dead-1', header);
    w.sources({ files: 'stale', etcd: 'missing' });
    w.engine.start();
    w.change(web('10.0.0.1', '10.0.0.2'));
    await w.pass(31_000, 500);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.9']);
    expect(w.kernel.members('sk-tmp-dead-1')).toEqual([]);
    expect(w.engine.settled()).toMatchObject({ settled: false, waitingFor: ['etcd'] });
    w.change([endpoint('e', ['p'], ['10.0.0.2'])]);
    await w.pass(1_000);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.9']);
    w.sources({ files: 'current', etcd: 'current' });
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2']);
    expect(w.kernel.members('sk-tmp-dead-1')).toBeUndefined();
  });

  it('keeps what fits, writes the rest anew by swap, and sweeps what dead agents left (invariant 10)', async () => {
    const w = silent();
    w.kernel.create(w.name('tag:web'), header, ['10.0.0.1', '10.0.0.3']);
    w.kernel.create(w.name('tag:db'), { ...header, maxelem: 64 }, ['10.0.0.1']);
    w.kernel.create('sk-tmp-dead-1', header, ['10.9.9.9']);
    w.kernel.create('sk-ack-dead', header);
    w.sources({ files: 'current' });
    w.engine.start();
    w.change([profile('p', 'web', 'db'), endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2'])]);
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(w.inKernel('tag:db')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(w.kernel.sets.get(w.name('tag:db'))?.header.maxelem).toBe(1_048_576);
    const [script = []] = w.kernel.scripts;
    expect(script.filter((line) => line.includes('sk-v4-t.web'))).toEqual([
      'create sk-v4-t.web',
      'del sk-v4-t.web 10.0.0.3',
      'add sk-v4-t.web 10.0.0.2',
    ]);
    expect(script.some((line) => line.startsWith('swap ') && line.endsWith(' sk-v4-t.db'))).toBe(true);
    expect([...w.kernel.sets.keys()].sort()).toEqual(['sk-v4-t.db', 'sk-v4-t.web']);
    expect(w.kernel.scripts).toHaveLength(1);
  });

  it('touches no set but those of its own exact form (invariant 5)', async () => {
    const w = silent();
    const foreign = [
      'sk-something',
      'my-sk-v4-t.web',
      'SK-v4-t.web',
      'felix-v4-x',
      'sk-v4-t',
      'sk-v5-t.web',
      'blacklist',
    ];
    for (const name of foreign) w.kernel.create(name, header, ['192.0.2.1']);
    w.kernel.create('sk-v4-t.old', header, ['192.0.2.1']);
    w.sources({ files: 'current' });
    w.engine.start();
    w.change(web('10.0.0.1'));
    await w.settle();
    for (const name of [...foreign, 'sk-v4-t.old']) expect(w.kernel.members(name)).toEqual(['192.0.2.1']);
    expect(w.kernel.scripts.flat().every((line) => line.includes(' sk-v4-t.web'))).toBe(true);
  });

  it('makes an unused set of another type anew in one section, and leaves a used one alone (N37)', async () => {
    const w = silent();
    w.kernel.create(w.name('tag:web'), { type: 'hash:net', family: 'inet', maxelem: 64 }, ['10.0.0.0/8']);
    w.kernel.create(w.name('tag:db'), { type: 'hash:ip', family: 'inet6', maxelem: 64 }, ['2001:db8::1']);
    w.kernel.use(w.name('tag:db'));
    w.sources({ files: 'current' });
    w.engine.start();
    w.change([profile('p', 'web', 'db'), endpoint('e', ['p'], ['10.0.0.1'])]);
    await w.settle();
    expect(w.kernel.scripts[0]).toEqual(['destroy sk-v4-t.web', 'create sk-v4-t.web', 'add sk-v4-t.web 10.0.0.1']);
    expect(w.inKernel('tag:db')).toEqual(['2001:db8::1']);
    expect(w.codes).toContain('header-conflict');
    expect(w.engine.settled().failed).toEqual(['tag:db']);
    expect((await w.acts.plan({ groups: ['tag:db'], reprogram: false, all: false })).planned).toMatchObject([
      { section: null, block: { by: 'header-conflict' } },
    ]);
    w.kernel.use(w.name('tag:db'), 0);
    await w.pass(12_000, 500);
    expect(w.inKernel('tag:db')).toEqual(['10.0.0.1']);
    expect(w.codes).not.toContain('header-conflict');
  });

  it('ends sets of known groups that nothing references any more, but keeps used ones and leftovers', async () => {
    const w = silent();
    for (const tag of ['web', 'used', 'left']) w.kernel.create(w.name(`tag:${tag}`), header, ['10.0.0.1']);
    w.kernel.use(w.name('tag:used'));
    w.sources({ files: 'current' });
    w.engine.start();
    w.change([profile('p', 'web', 'used'), endpoint('e', ['p'], ['10.0.0.1']), references('r', 'tag:x')]);
    await w.settle();
    expect(w.inKernel('tag:web')).toBeUndefined();
    expect(w.inKernel('tag:used')).toEqual(['10.0.0.1']);
    expect(w.inKernel('tag:left')).toEqual(['10.0.0.1']);
  });

  it('is not fooled by a model that goes on changing while the kernel is read', async () => {
    const w = silent();
    w.kernel.create(w.name('tag:web'), header, ['10.0.0.1', '10.0.0.2']);
    w.sources({ files: 'current' });
    w.change(web('10.0.0.1', '10.0.0.2'));
    w.kernel.onStep = (what) => {
      if (what !== 'members') return;
      w.kernel.onStep = () => {};
      w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3'])]);
    };
    w.engine.start();
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
  });

  it('takes a model of many objects in slices, and plans only when it is whole', async () => {
    const w = silent();
    w.sources({ files: 'current' });
    w.engine.start();
    const all = Array.from({ length: 9_000 }, (_, i) => endpoint(`e${i}`, ['p'], [address(i + 1)]));
    w.change([...all, profile('p', 'web'), network('n', ['10.0.0.0/8']), list('l', 'tag:web', 'net:n')]);
    await w.settle();
    expect(w.kernel.scripts).toHaveLength(1);
    expect(w.inKernel('tag:web')).toHaveLength(9_000);
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
  });

  it('converges after being killed at any line of any run (invariant 10)', async () => {
    for (let line = 0; line < 14; line++) {
      const w = new EngineWorld({ config: v4 });
      await w.apply(profile('p', 'web', 'db'), endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2']));
      w.kernel.use(w.name('tag:web'));
      w.kernel.failAfterLines = line;
      const started = await w.acts.reprogram({ groups: [], reprogram: true, all: true }, { actor: 'a' });
      void started.ended;
      const next = new EngineWorld({ config: v4, kernel: w.kernel, store: w.store, isSilent: true });
      await w.engine.stop();
      next.change([profile('p', 'web', 'db'), endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3'])]);
      next.sources({ files: 'current' });
      next.engine.start();
      await next.settle();
      expect([...next.kernel.sets.keys()].sort()).toEqual(['sk-v4-t.db', 'sk-v4-t.web']);
      expect(next.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
      expect(next.inKernel('tag:db')).toEqual(['10.0.0.2', '10.0.0.3']);
    }
  });

  it('stops without touching the kernel', async () => {
    const w = new EngineWorld({ config: v4 });
    await w.apply(...web('10.0.0.1'));
    const scripts = w.kernel.scripts.length;
    w.change([endpoint('e', ['p'], ['10.0.0.2'])]);
    await w.engine.stop();
    await w.pass(2_000);
    expect(w.kernel.scripts.length).toBeLessThanOrEqual(scripts + 1);
    await expect(w.acts.apply({ groups: [], reprogram: false, all: true }, { actor: 'a' })).rejects.toThrow();
  });
});
