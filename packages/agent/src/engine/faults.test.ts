import type { SetName } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import { ParkedByRun } from './parked-by-run.ts';
import { EngineWorld, endpoint, gone, list, network, profile, type WorldOptions } from './testing/engine-world.ts';

const v4 = { sets: { families: ['inet'] } };
const world = (options: WorldOptions = {}) => new EngineWorld({ config: v4, ...options });
const web = (...addresses: string[]) => [profile('p', 'web'), endpoint('e', ['p'], addresses)];
const act = { actor: 'maria' };

describe('when the world fails', () => {
  it('believes nothing after a run that broke off, reads back, and converges (invariant 1)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.failAfterLines = 3;
    w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3', '10.0.0.4'])]);
    await w.pass(5_000);
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4']);
    expect(w.runs.map(({ phase }) => phase)).toEqual(['succeeded', 'failed', 'succeeded']);
    const broken = w.runs[1];
    expect(broken?.error?.code).toBe('killed');
    expect(w.store.runs.get(broken?.id ?? '')?.readBack.get('sk-v4-t.web')).toBe(
      '1 elements are there: 1 of the 3 wanted.',
    );
    expect(w.codes).toEqual([]);
  });

  it('makes one problem of an environment that fails, backs off, and goes on by itself (invariant 8, N22)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.environment = { code: 'permission', message: 'Operation not permitted', raw: '' };
    w.change([endpoint('e', ['p'], ['10.0.0.2'])]);
    await w.pass(20_000, 100);
    expect(w.codes).toEqual(['environment']);
    expect(w.set('tag:web').ledger.parking.size).toBe(0);
    expect(w.runs.length).toBeLessThan(8);
    expect(w.engine.settled().settled).toBe(false);
    w.kernel.environment = null;
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2']);
    expect(w.codes).toEqual([]);
  });

  it('says no longer that nothing can be programmed once nothing waits for it', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.failAfterLines = 0;
    const { ended } = await w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act);
    expect((await ended).phase).toBe('failed');
    expect(w.codes).toEqual(['environment']);
    await w.settle();
    expect(w.codes).toEqual([]);
  });

  it('lets an operator send nothing while it cannot be read what the last changes would take away', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.readFault = { code: 'permission', message: 'Operation not permitted', raw: '' };
    w.change([endpoint('e', ['p'], [])]);
    const asked = w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act);
    await expect(asked).rejects.toMatchObject({ code: 'not-ready' });
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.runs).toHaveLength(1);
  });

  it('holds nothing of a set that somebody destroyed while its group ended', async () => {
    const w = world({ config: { ...v4, guard: 'off' } });
    await w.apply(...web('10.0.0.1'));
    w.kernel.onStep = (what) => {
      if (what === 'headers') w.kernel.sets.delete('sk-v4-t.web' as SetName);
    };
    await w.apply(gone('profile', 'p'));
    expect(w.engine.state.held.all()).toEqual([]);
    expect(w.kernel.sets.size).toBe(0);
    expect(w.codes).toEqual([]);
  });

  it('survives an executor and a reader that throw', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.onStep = () => {
      throw new Error('out of luck');
    };
    w.change([endpoint('e', ['p'], ['10.0.0.2'])]);
    await w.pass(3_000);
    w.kernel.onStep = () => {};
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2']);
    expect(w.bugs.length).toBeGreaterThan(0);
  });

  it('never takes a kernel that cannot be read for an empty one', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    const scripts = w.kernel.scripts.length;
    w.kernel.readFault = { code: 'empty-while-names', message: 'the dump is empty though there are names', raw: '' };
    await w.pass(30_000, 500);
    expect(w.codes).toEqual(['kernel-unreadable']);
    expect(w.kernel.scripts.length).toBe(scripts);
    expect(w.set('tag:web').ledger.programmed).toBe(1);
    w.kernel.readFault = null;
    await w.pass(12_000, 500);
    expect(w.codes).toEqual([]);
  });

  it('waits at start until the kernel can be read', async () => {
    const w = new EngineWorld({ config: v4, isSilent: true });
    w.kernel.readFault = { code: 'permission', message: 'Operation not permitted', raw: '' };
    w.change(web('10.0.0.1'));
    w.sources({ files: 'current' });
    w.engine.start();
    await w.pass(10_000, 500);
    expect(w.kernel.scripts).toEqual([]);
    w.kernel.readFault = null;
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
  });

  it('writes a set anew that cannot be read back', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), network('n', ['10.0.0.0/8']));
    w.kernel.failAfterLines = 2;
    w.kernel.onStep = (what) => {
      w.kernel.readFault = what === 'members' ? { code: 'unparsable', message: 'no words of ours', raw: '' } : null;
    };
    w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3'])]);
    await w.pass(30_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
    expect(w.kernel.scripts.flat().some((line) => line.startsWith('swap '))).toBe(true);
    expect([...w.kernel.sets.keys()].sort()).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
  });

  it('lets one refused destroy stop no other (N33)', async () => {
    const w = world({ config: { sets: { families: ['inet'] }, guard: 'off' } });
    const tags = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await w.apply(profile('p', ...tags), endpoint('e', ['p'], ['10.0.0.1']));
    w.kernel.refuse = (operation) =>
      operation.op === 'destroy' && operation.set !== 'sk-v4-t.d' ? { code: 'set-in-use', message: 'in use' } : null;
    await w.apply(gone('profile', 'p'));
    expect(w.inKernel('tag:d')).toBeUndefined();
    expect(w.inKernel('tag:a')).toEqual([]);
    expect(w.codes.filter((code) => code === 'destroy-refused')).toHaveLength(6);
  });

  it('keeps the good members of a list whose member set could not be created, and mends it later (N30)', async () => {
    const w = world();
    w.kernel.refuse = (operation) =>
      operation.op === 'create' && operation.set === 'sk-v4-n.n' ? { code: 'unknown', message: 'no' } : null;
    await w.apply(...web('10.0.0.1'), network('n', ['10.0.0.0/8']), list('l', 'tag:web', 'net:n'));
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-t.web']);
    expect(w.codes).toContain('set-failed');
    w.kernel.refuse = () => null;
    await w.pass(10_000);
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
    expect(w.codes).toEqual([]);
  });

  it('adds a set to a list as soon as it can be created, also where the list came later', async () => {
    const w = world();
    let isRefused = true;
    w.kernel.refuse = (operation) =>
      isRefused && operation.op === 'create' && operation.set === 'sk-v4-n.n'
        ? { code: 'unknown', message: 'no' }
        : null;
    await w.apply(...web('10.0.0.1'), network('n', ['10.0.0.0/8']));
    w.change([list('l', 'tag:web', 'net:n')]);
    await w.pass(400);
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-t.web']);
    isRefused = false;
    await w.pass(3_000);
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
    expect(w.codes).toEqual([]);
  });

  it('loses no change of the model that comes while the sets of a failed run are read', async () => {
    const w = world();
    await w.apply(profile('q', 'db'), endpoint('d', ['q'], ['10.1.0.1']), ...web('10.0.0.1'));
    w.kernel.failAfterLines = 2;
    let readings = 0;
    w.kernel.onStep = (what) => {
      if (what !== 'members' || ++readings !== 2) return;
      w.change([endpoint('d', ['q'], ['10.1.0.3']), endpoint('e', ['p'], ['10.0.0.3'])]);
    };
    w.change([endpoint('d', ['q'], ['10.1.0.2']), endpoint('e', ['p'], ['10.0.0.2'])]);
    await w.pass(3_000);
    expect(readings).toBeGreaterThan(1);
    expect([w.inKernel('tag:db'), w.inKernel('tag:web')]).toEqual([['10.1.0.3'], ['10.0.0.3']]);
    expect(w.store.drift).toEqual([]);
  });

  it('leaves a set as it was when its swap is refused, and leaves no temporary set', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.refuse = (operation) => (operation.op === 'swap' ? { code: 'busy', message: 'busy' } : null);
    const started = await w.acts.reprogram({ groups: ['tag:web'], reprogram: true, all: false }, act);
    expect((await started.ended).phase).toBe('partly');
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.codes).toContain('set-failed');
    w.kernel.refuse = () => null;
    await w.pass(5_000);
    await w.settle();
    expect(w.codes).toEqual([]);
  });

  it('retries what a run left, at once, when asked', async () => {
    const w = world();
    let isFull = true;
    w.kernel.refuse = (operation) =>
      isFull && operation.op === 'add' && operation.member === '10.0.0.2'
        ? { code: 'full', message: 'Hash is full' }
        : null;
    await w.apply(...web('10.0.0.1', '10.0.0.2', '10.0.0.3'));
    const failed = w.runs.at(-1)?.id ?? '';
    isFull = false;
    const started = await w.acts.retry(failed, act);
    expect(await started.ended).toMatchObject({ cause: 'retry', phase: 'succeeded', lines: 2 });
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const nothing = await w.acts.retry(failed, act);
    expect(await nothing.ended).toMatchObject({ phase: 'succeeded', lines: 0 });
    await expect(w.acts.retry('none', act)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('retries what a run left also when it was refused again since, and nothing that others left', async () => {
    const w = world();
    const refused = new Set<string>(['10.0.0.2']);
    w.kernel.refuse = (operation) =>
      operation.op === 'add' && refused.has(operation.member) ? { code: 'full', message: 'Hash is full' } : null;
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    const first = w.runs.at(-1);
    if (first === undefined) throw new Error('no run');
    await w.pass(8_000);
    expect(w.runs.length).toBeGreaterThan(3);
    refused.add('10.0.0.3');
    await w.apply(endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2', '10.0.0.3']));
    expect(new ParkedByRun(w.engine.state, first).count).toBe(1);
    refused.clear();
    const started = await w.acts.retry(first.id, act);
    expect(await started.ended).toMatchObject({ phase: 'succeeded', lines: 2 });
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(new ParkedByRun(w.engine.state, first).count).toBe(0);
  });

  it('retries a member of a list whose set is back in the kernel, seen yet or not', async () => {
    const w = world({ config: { ...v4, resync: { headersSeconds: 0, repair: false } } });
    await w.apply(...web('10.0.0.1'), network('n', ['10.0.0.0/8']), list('l', 'tag:web'));
    w.kernel.sets.delete('sk-v4-n.n' as SetName);
    w.change([list('l', 'tag:web', 'net:n')]);
    await w.pass(5_000);
    const failed = w.runs.at(-1);
    expect(failed).toMatchObject({ phase: 'partly', operations: { rejected: 1 } });
    w.kernel.create('sk-v4-n.n', { type: 'hash:net', family: 'inet', maxelem: 1_048_576 }, ['10.0.0.0/8']);
    const started = await w.acts.retry(failed?.id ?? '', act);
    expect(await started.ended).toMatchObject({ phase: 'succeeded', operations: { applied: 2 } });
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
  });
});
