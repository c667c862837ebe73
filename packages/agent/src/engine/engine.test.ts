import { describe, expect, it } from 'vitest';
import {
  address,
  EngineWorld,
  endpoint,
  gone,
  list,
  network,
  profile,
  references,
  type WorldOptions,
} from './testing/engine-world.ts';

const world = (options: WorldOptions = {}) => new EngineWorld(options);
const web = (...addresses: string[]) => addresses.map((each, i) => endpoint(`e${i}`, ['p'], [each]));

describe('engine', () => {
  it('creates the sets of every group in both families and announces them as live', async () => {
    const w = world();
    await w.apply(profile('p', 'web'), endpoint('a', ['p'], ['10.0.0.1'], ['2001:db8::1']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.inKernel('tag:web', 'inet6')).toEqual(['2001:db8::1']);
    expect(w.phase('tag:web')).toBe('live');
    expect(w.runs.map(({ cause, phase }) => [cause, phase])).toEqual([['start', 'succeeded']]);
    expect(w.bugs).toEqual([]);
  });

  it('sends a delta of what changed and nothing else (N25, G5)', async () => {
    const w = world();
    await w.apply(profile('p', 'web'), endpoint('a', ['p'], ['1.1.1.1', '2.2.2.2', '3.3.3.3']));
    w.change([endpoint('a', ['p'], ['2.2.2.2', '3.3.3.3', '5.5.5.5'])]);
    await w.settle();
    expect(w.kernel.scripts.at(-1)).toEqual([
      'create sk-v4-t.web',
      'del sk-v4-t.web 1.1.1.1',
      'add sk-v4-t.web 5.5.5.5',
    ]);
    expect(w.inKernel('tag:web')).toEqual(['2.2.2.2', '3.3.3.3', '5.5.5.5']);
  });

  it('makes a set anew, with room from the beginning, when very many members come to a few', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(profile('p', 'web'), ...web('10.0.0.1', '10.0.0.2'));
    const many = Array.from({ length: 2_500 }, (_, i) => `10.1.${i >> 8}.${i & 255}`);
    w.change([endpoint('many', ['p'], many)]);
    await w.settle();
    const script = w.kernel.scripts.at(-1) ?? [];
    expect(script.filter((line) => !line.startsWith('add '))).toEqual([
      expect.stringMatching(/^create sk-tmp-/u),
      expect.stringMatching(/^swap sk-tmp-\S+ sk-v4-t.web$/u),
      expect.stringMatching(/^destroy sk-tmp-/u),
    ]);
    expect(w.inKernel('tag:web')).toEqual([...['10.0.0.1', '10.0.0.2'], ...many].toSorted());
    w.change([endpoint('more', ['p'], ['10.2.0.1'])]);
    await w.settle();
    expect(w.kernel.scripts.at(-1)).toEqual(['create sk-v4-t.web', 'add sk-v4-t.web 10.2.0.1']);
    expect(w.bugs).toEqual([]);
  });

  it('sends a tag more for very many endpoints as one run, though it is taken in bit by bit', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    const many = Array.from({ length: 21_000 }, (_, i) => endpoint(`e${i}`, ['p'], [`10.1.${i >> 8}.${i & 255}`]));
    await w.apply(profile('p', 'web'), references('r', 'tag:web', 'tag:more'), ...many);
    const before = w.runs.length;
    w.change([profile('p', 'web', 'more')]);
    await w.settle();
    expect(w.runs.length).toBe(before + 1);
    expect(w.inKernel('tag:more')).toEqual(w.inKernel('tag:web'));
    expect(w.inKernel('tag:more')).toHaveLength(21_000);
    expect(w.bugs).toEqual([]);
  });

  it('sends nothing for what comes and goes between two runs (F42, G25)', async () => {
    const w = world();
    await w.apply(profile('p', 'web'), ...web('10.0.0.1'));
    const before = w.kernel.scripts.length;
    w.change([endpoint('x', ['p'], ['10.0.0.9'])]);
    w.change([gone('endpoint', 'x')]);
    w.change([profile('q', 'other')]);
    w.change([gone('profile', 'q')]);
    await w.settle();
    expect(w.kernel.scripts.length).toBe(before);
  });

  it('puts lists behind their members, and ends them before', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(
      profile('p', 'web'),
      ...web('10.0.0.1'),
      network('corp', ['10.0.0.0/8']),
      list('trusted', 'tag:web', 'net:corp'),
    );
    expect(w.inKernel('list:trusted', null)).toEqual(['sk-v4-n.corp', 'sk-v4-t.web']);
    expect(w.kernel.scripts).toHaveLength(1);
    await w.apply(gone('list', 'trusted'), gone('network', 'corp'));
    expect(w.inKernel('list:trusted', null)).toBeUndefined();
    expect(w.inKernel('net:corp')).toBeUndefined();
    expect(w.kernel.scripts.at(-1)).toEqual(['destroy sk-l.trusted', 'destroy sk-v4-n.corp']);
  });

  it('programs a /0 as two halves and counts it as one member', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(network('all', ['0.0.0.0/0'], ['10.0.0.0/8']));
    expect(w.inKernel('net:all')).toEqual(['0.0.0.0/1', '10.0.0.0/8 nomatch', '128.0.0.0/1']);
    await w.apply(network('all', ['0.0.0.0/1', '10.0.0.0/8']));
    expect(w.inKernel('net:all')).toEqual(['0.0.0.0/1', '10.0.0.0/8']);
    expect(w.kernel.scripts.at(-1)).toEqual([
      'create sk-v4-n.all',
      'del sk-v4-n.all 128.0.0.0/1',
      'add sk-v4-n.all 10.0.0.0/8',
    ]);
  });

  it('programs only referenced groups once any references document exists', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(profile('p', 'web', 'db'), ...web('10.0.0.1'), references('policy/a', 'tag:web'));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.inKernel('tag:db')).toBeUndefined();
    expect(w.phase('tag:db')).toBe('waiting');
    await w.apply(references('policy/a', 'tag:db'));
    expect(w.inKernel('tag:web')).toBeUndefined();
    expect(w.inKernel('tag:db')).toEqual(['10.0.0.1']);
  });

  it('parks a member that the kernel refuses, keeps its neighbours, and tries again', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    w.kernel.refuse = (operation) =>
      operation.op === 'add' && operation.member === '10.0.0.2'
        ? { code: 'null-element', message: 'no such thing' }
        : null;
    await w.apply(profile('p', 'web'), ...web('10.0.0.1', '10.0.0.2', '10.0.0.3'));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.3']);
    expect(w.runs.at(-1)).toMatchObject({ phase: 'partly', operations: { applied: 3, rejected: 1 } });
    expect(w.engine.settled().failed).toEqual(['tag:web']);
    expect(w.problems.list()).toContainEqual(
      expect.objectContaining({ code: 'members-parked', consequence: 'The set is not what the model says.' }),
    );
    w.kernel.refuse = () => null;
    await w.pass(3_000);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    expect(w.codes).not.toContain('members-parked');
  });

  it('adopts what fits with a minimal delta after a restart (G5, N35)', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(profile('p', 'web', 'db'), ...web('10.0.0.1', '10.0.0.2'));
    const scripts = w.kernel.scripts.length;
    const again = await w.restart({ config: { sets: { families: ['inet'] } } });
    await again.settle();
    expect(w.kernel.scripts.length).toBe(scripts);
    expect(again.phase('tag:web')).toBe('live');
    expect(again.set('tag:web').isAdopted).toBe(true);
    await again.apply(endpoint('new', ['p'], ['10.0.0.9']));
    expect(again.kernel.scripts.at(-1)).toEqual([
      'create sk-v4-t.db',
      'add sk-v4-t.db 10.0.0.9',
      'create sk-v4-t.web',
      'add sk-v4-t.web 10.0.0.9',
    ]);
  });

  it('creates a set again that somebody destroyed', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    await w.apply(profile('p', 'web'), ...web('10.0.0.1'));
    w.kernel.sets.delete(w.name('tag:web'));
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.store.drift).toMatchObject([{ kind: 'destroyed', repairRun: expect.any(String) }]);
  });

  it('holds a mass removal: additions go in, no removal does', async () => {
    const w = world({ config: { sets: { families: ['inet'] } } });
    const many = Array.from({ length: 200 }, (_, i) => endpoint(`e${i}`, ['p'], [address(i + 1)]));
    await w.apply(profile('p', 'web'), ...many);
    await w.apply(...many.slice(0, 180).map(({ id }) => gone('endpoint', id)), endpoint('new', ['p'], ['10.9.9.9']));
    expect(w.inKernel('tag:web')).toHaveLength(201);
    expect(w.engine.settled().held).toBe(1);
    const held = w.engine.state.held.all()[0];
    const run = await w.acts.release(held?.id ?? '', { actor: 'maria' });
    expect((await run.ended).phase).toBe('succeeded');
    expect(w.inKernel('tag:web')).toHaveLength(21);
    expect(w.engine.settled().held).toBe(0);
  });
});
