import { describe, expect, it } from 'vitest';
import { address, EngineWorld, endpoint, gone, network, profile, type WorldOptions } from './testing/engine-world.ts';

const v4 = { sets: { families: ['inet'] } };
const manual = { sets: { families: ['inet'], apply: 'manual' } };
const world = (options: WorldOptions = {}) => new EngineWorld({ config: v4, ...options });
const web = (...addresses: string[]) => [profile('p', 'web'), endpoint('e', ['p'], addresses)];
const act = { actor: 'maria' };
const pending = (...groups: string[]) => ({ groups, reprogram: false, all: false });
const anew = (...groups: string[]) => ({ groups, reprogram: true, all: false });

describe('plan', () => {
  it('changes nothing, and is the same until something changes', async () => {
    const w = world({ config: manual });
    w.change(web('10.0.0.1', '10.0.0.2'));
    await w.pass(500);
    const first = await w.acts.plan(pending());
    const second = await w.acts.plan(pending());
    expect(first.plan.digest).toBe(second.plan.digest);
    expect(first.planned).toMatchObject([{ section: { how: 'create', adds: ['10.0.0.1', '10.0.0.2'] }, block: null }]);
    expect(w.kernel.scripts).toEqual([]);
    w.change([endpoint('e', ['p'], ['10.0.0.1'])]);
    await w.pass(500);
    expect((await w.acts.plan(pending())).plan.digest).not.toBe(first.plan.digest);
  });

  it('tells what a block keeps from being sent', async () => {
    const w = world({ ports: { isOnHold: (group) => (group as string) === 'tag:web' } });
    await w.pass(100);
    w.change(web('10.0.0.1'));
    await w.pass(500);
    expect((await w.acts.plan(pending('tag:web'))).planned).toMatchObject([
      { section: null, block: { by: 'on-hold' } },
    ]);
    await expect(w.acts.apply(pending('tag:web'), act)).rejects.toMatchObject({ code: 'blocked' });
    await expect(w.acts.apply(pending('tag:none'), act)).rejects.toMatchObject({ code: 'not-found' });
    await expect(w.acts.apply(pending('web'), act)).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('apply', () => {
  it('sends exactly what was confirmed, and refuses what is stale', async () => {
    const w = world({ config: manual });
    w.change(web('10.0.0.1'));
    await w.pass(500);
    const shown = (await w.acts.plan(pending())).plan.digest;
    w.change([endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2'])]);
    await w.pass(500);
    const now = (await w.acts.plan(pending())).plan.digest;
    await expect(w.acts.apply(pending(), { ...act, digest: shown })).rejects.toMatchObject({
      code: 'digest-stale',
      details: { digest: now },
    });
    const started = await w.acts.apply(pending(), { ...act, digest: now, reason: 'ticket 4711' });
    expect(started.run).toMatchObject({
      phase: 'running',
      cause: 'apply',
      actor: 'maria',
      reason: 'ticket 4711',
      digest: now,
    });
    expect(await started.ended).toMatchObject({ phase: 'succeeded', id: started.run.id });
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('is what changes wait for with `apply: manual`, group by group', async () => {
    const w = world({ config: manual });
    w.change([...web('10.0.0.1'), network('n', ['10.0.0.0/8'])]);
    await w.pass(2_000);
    expect(w.kernel.scripts).toEqual([]);
    expect(w.codes).toContain('apply-waiting');
    expect(w.engine.settled().settled).toBe(false);
    const started = await w.acts.apply(pending('tag:web'), act);
    await started.ended;
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.inKernel('net:n')).toBeUndefined();
    await (await w.acts.apply(pending(), act)).ended;
    await w.settle();
    expect(w.codes).not.toContain('apply-waiting');
    w.kernel.sets.get(w.name('tag:web'))?.elements.clear();
    w.change([network('n', ['10.0.0.0/8', '192.0.2.0/24'])]);
    await w.pass(12_000, 200);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    expect(w.inKernel('net:n')).toEqual(['10.0.0.0/8']);
  });

  it('waits with destroys too, with `apply: manual`', async () => {
    const w = world({ config: manual });
    w.change(web('10.0.0.1'));
    await w.pass(500);
    await (await w.acts.apply(pending(), act)).ended;
    w.change([gone('profile', 'p')]);
    await w.pass(2_000);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    await (await w.acts.apply(pending(), act)).ended;
    expect(w.inKernel('tag:web')).toBeUndefined();
  });

  it('tries what is parked at once', async () => {
    const w = world();
    let isFull = true;
    w.kernel.refuse = (operation) =>
      isFull && operation.op === 'add' ? { code: 'full', message: 'Hash is full' } : null;
    await w.apply(...web('10.0.0.1'));
    expect(w.inKernel('tag:web')).toEqual([]);
    isFull = false;
    await (await w.acts.apply(pending('tag:web'), act)).ended;
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
  });

  it('is a run like any other where nothing is pending', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    const started = await w.acts.apply(pending(), act);
    expect(await started.ended).toMatchObject({ phase: 'succeeded', lines: 0, sets: 0 });
    expect(w.kernel.scripts).toHaveLength(1);
  });
});

describe('reprogram', () => {
  it('writes whole sets anew, so that no reader sees them empty (invariant 7)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.2', '10.0.0.1'));
    const { plan } = await w.acts.plan(anew('tag:web'));
    const started = await w.acts.reprogram(anew('tag:web'), { ...act, digest: plan.digest });
    expect((await started.ended).phase).toBe('succeeded');
    expect(w.kernel.scripts.at(-1)?.map((line) => line.replace(/sk-tmp-\S+/, 'TMP'))).toEqual([
      'create TMP',
      'add TMP 10.0.0.1',
      'add TMP 10.0.0.2',
      'swap TMP sk-v4-t.web',
      'destroy TMP',
    ]);
  });

  it('takes everything that changed while it was under way along in the next run', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2', '10.0.0.3'));
    w.kernel.onStep = (what) => {
      if (what !== 'execute') return;
      w.kernel.onStep = () => {};
      w.change([endpoint('e', ['p'], ['10.0.0.2', '10.0.0.4'])]);
    };
    await (await w.acts.reprogram(anew('tag:web'), act)).ended;
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.4']);
    expect(w.kernel.scripts.at(-1)).toEqual([
      'create sk-v4-t.web',
      'del sk-v4-t.web 10.0.0.1',
      'del sk-v4-t.web 10.0.0.3',
      'add sk-v4-t.web 10.0.0.4',
    ]);
  });

  it('grows a set, and remembers its room over a restart', async () => {
    const small = { sets: { families: ['inet'], maxelem: 2 } };
    const w = world({ config: small });
    await w.apply(...web('10.0.0.1', '10.0.0.2', '10.0.0.3'));
    expect(w.phase('tag:web')).toBe('starting');
    await (await w.acts.reprogram({ ...anew('tag:web'), maxelem: 10 }, act)).ended;
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    expect(w.phase('tag:web')).toBe('live');
    expect(w.kernel.sets.get(w.name('tag:web'))?.header.maxelem).toBe(10);
    const scripts = w.kernel.scripts.length;
    const again = await w.restart({ config: small });
    await again.settle();
    expect(again.set('tag:web').maxelem).toBe(10);
    expect(w.kernel.scripts.length).toBe(scripts);
  });

  it('refuses a room that would push members out, and to write nothing at all', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1', '10.0.0.2'));
    await expect(w.acts.reprogram({ ...anew('tag:web'), maxelem: 1 }, act)).rejects.toMatchObject({ code: 'unsafe' });
    await expect(w.acts.reprogram(anew(), act)).rejects.toMatchObject({ code: 'bad-input' });
    expect(w.set('tag:web').maxelem).toBe(1_048_576);
  });

  it('does not remember a room whose plan was stale', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    const asked = { ...anew('tag:web'), maxelem: 64 };
    await expect(w.acts.reprogram(asked, { ...act, digest: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'digest-stale',
    });
    expect(w.set('tag:web').maxelem).toBe(1_048_576);
  });

  it('displaces nothing of an over-full set', async () => {
    const w = world({ config: { sets: { families: ['inet'], maxelem: 2 } } });
    await w.apply(...web('10.0.0.8', '10.0.0.9'));
    await w.apply(endpoint('e', ['p'], ['10.0.0.1', '10.0.0.8', '10.0.0.9']));
    await (await w.acts.reprogram(anew('tag:web'), act)).ended;
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.8', '10.0.0.9']);
  });
});

describe('clean-up', () => {
  it('never touches what a managed set owns', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.create('sk-v4-t.old', { type: 'hash:ip', family: 'inet' });
    const destroy = (set: string) => ({
      group: null,
      family: null,
      set: set as never,
      how: 'destroy' as const,
      header: null,
      temp: null,
      createMain: false,
      dels: [],
      adds: [],
      before: 0,
      after: 0,
    });
    await expect(w.acts.cleanup(async () => [destroy('sk-v4-t.web')], act)).rejects.toMatchObject({ code: 'unsafe' });
    const started = await w.acts.cleanup(async () => [destroy('sk-v4-t.old')], act);
    expect(await started.ended).toMatchObject({ phase: 'succeeded', cause: 'cleanup' });
    expect([...w.kernel.sets.keys()]).toEqual(['sk-v4-t.web']);
  });
});

describe('a run', () => {
  it('is recorded with its cause, counts, sections and events', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    await w.apply(endpoint('e', ['p'], ['10.0.0.2']));
    const run = w.runs.at(-1);
    expect(run).toMatchObject({
      cause: 'model',
      causeDetail: 'files: model.yaml',
      actor: 'setkeeper',
      phase: 'succeeded',
      sets: 1,
      setNames: ['sk-v4-t.web'],
      lines: 3,
      operations: { applied: 3, rejected: 0, skipped: 0, notRun: 0 },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(w.store.runs.get(run?.id ?? '')?.sections).toEqual([
      { firstLine: 1, lines: 3, set: 'sk-v4-t.web', group: 'tag:web', family: 'inet', how: 'delta' },
    ]);
    const types = w.events.map(({ type }) => type);
    expect(types).toContain('run-started');
    expect(types).toContain('run-finished');
    expect(types).toContain('sets-changed');
    expect(w.set('tag:web').lastRun).toEqual({ id: run?.id, result: 'succeeded' });
  });

  it('has its digest also when it is large', async () => {
    const w = world();
    const all = Array.from({ length: 6_000 }, (_, i) => endpoint(`e${i}`, ['p'], [address(i + 1)]));
    await w.apply(profile('p', 'web'), ...all);
    expect(w.runs.at(-1)).toMatchObject({ lines: 6_001, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('acts at once when nothing is under way, and gathers while something is', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    await w.pass(1_000);
    const scripts = w.kernel.scripts.length;
    w.change([endpoint('a', ['p'], ['10.0.1.1'])]);
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(w.kernel.scripts.length).toBe(scripts + 1);
    for (let i = 0; i < 10; i++) w.change([endpoint(`b${i}`, ['p'], [`10.0.2.${i + 1}`])]);
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(w.kernel.scripts.length).toBe(scripts + 1);
    await w.settle();
    expect(w.kernel.scripts.length).toBe(scripts + 2);
  });
});
