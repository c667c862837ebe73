import { describe, expect, it } from 'vitest';
import { EngineWorld, endpoint, gone, list, profile, references, type WorldOptions } from './testing/engine-world.ts';

const v4 = { sets: { families: ['inet'] } };
const world = (options: WorldOptions = {}) => new EngineWorld({ config: v4, ...options });
const web = (...addresses: string[]) => [profile('p', 'web'), endpoint('e', ['p'], addresses)];

describe('life cycle of a managed set', () => {
  it('gives the set its type, family and room (F1)', async () => {
    const w = world({ config: { sets: { families: ['inet'], maxelem: 1234 } } });
    await w.apply(...web('10.0.0.1'));
    expect(w.kernel.sets.get(w.name('tag:web'))?.header).toMatchObject({
      type: 'hash:ip',
      family: 'inet',
      maxelem: 1234,
    });
  });

  it('stays waiting without a reference, and does no kernel work (N50)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('r', 'tag:other'));
    expect(w.phase('tag:web')).toBe('waiting');
    expect(w.inKernel('tag:web')).toBeUndefined();
    expect(w.inKernel('tag:other')).toEqual([]);
    expect(w.membership.isDefined('tag:other' as never)).toBe(false);
  });

  it('creates on the first reference with all members, does nothing on the second, ends with the last (F31, N55)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('a', 'tag:web'));
    expect(w.phase('tag:web')).toBe('live');
    const scripts = w.kernel.scripts.length;
    await w.apply(references('b', 'tag:web'));
    await w.apply(gone('references', 'a'));
    expect(w.kernel.scripts.length).toBe(scripts);
    await w.apply(references('b', 'tag:none'));
    expect(w.kernel.scripts.at(-1)).toEqual(['create sk-v4-t.none', 'destroy sk-v4-t.web']);
    expect(w.phase('tag:web')).toBe('waiting');
  });

  it('discards one that never started without kernel work (F33, N51)', async () => {
    const w = world({ isSilent: true });
    w.change([references('keep', 'tag:x'), ...web('10.0.0.1')]);
    for (let round = 0; round < 3; round++) {
      w.change([references('a', 'tag:web')]);
      w.change([gone('references', 'a')]);
    }
    w.sources({ files: 'current' });
    w.engine.start();
    await w.settle();
    expect(w.kernel.scripts).toEqual([['create sk-v4-t.x']]);
  });

  it('lets a successor wait for the destroy of the old one (F31)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('a', 'tag:web'), references('keep', 'tag:x'));
    w.kernel.onStep = (what) => {
      if (what !== 'execute') return;
      w.kernel.onStep = () => {};
      w.change([references('a', 'tag:web')]);
    };
    await w.apply(gone('references', 'a'));
    expect(w.kernel.scripts.slice(-2)).toEqual([
      ['destroy sk-v4-t.web'],
      ['create sk-v4-t.web', 'add sk-v4-t.web 10.0.0.1'],
    ]);
    expect(w.phase('tag:web')).toBe('live');
  });

  it('keeps a set live and updated that a rule still uses, and says so', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('a', 'tag:web'), references('keep', 'tag:x'));
    w.kernel.use(w.name('tag:web'));
    await w.apply(gone('references', 'a'));
    expect(w.phase('tag:web')).toBe('live');
    expect(w.codes).toContain('used-but-not-referenced');
    await w.apply(endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    w.kernel.use(w.name('tag:web'), 0);
    await w.pass(11_000, 500);
    expect(w.inKernel('tag:web')).toBeUndefined();
    expect(w.codes).not.toContain('used-but-not-referenced');
  });

  it('goes on updating a stopping set whose destroy is refused, shows it, and retries (F30)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('a', 'tag:web'), references('keep', 'tag:x'));
    let isBusy = true;
    w.kernel.refuse = (operation) =>
      operation.op === 'destroy' && isBusy
        ? { code: 'set-in-use', message: 'it is in use by a kernel component' }
        : null;
    await w.apply(gone('references', 'a'));
    expect(w.phase('tag:web')).toBe('stopping');
    expect(w.codes).toContain('destroy-refused');
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    await w.apply(endpoint('e', ['p'], ['10.0.0.1', '10.0.0.2']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    isBusy = false;
    await w.pass(5_000);
    expect(w.inKernel('tag:web')).toBeUndefined();
    expect(w.codes).not.toContain('destroy-refused');
    expect(w.kernel.scripts.flat().some((line) => line.startsWith('flush'))).toBe(false);
  });

  it('references the members of a list by the list (N54)', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), list('l', 'tag:web'), references('a', 'list:l'));
    expect(w.inKernel('list:l', null)).toEqual(['sk-v4-t.web']);
    expect(w.engine.state.references.of('tag:web' as never).map(({ referrer }) => referrer)).toEqual(['list:l']);
    await w.apply(list('l'));
    expect(w.inKernel('list:l', null)).toEqual([]);
    expect(w.inKernel('tag:web')).toBeUndefined();
  });

  it('keeps two lists apart that share a member', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), list('a', 'tag:web'), list('b', 'tag:web'), references('r', 'list:a', 'list:b'));
    await w.apply(references('r', 'list:b'));
    expect(w.inKernel('list:a', null)).toBeUndefined();
    expect(w.inKernel('list:b', null)).toEqual(['sk-v4-t.web']);
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
  });

  it('honours pins as references of an operator', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'), references('keep', 'tag:x'));
    await w.engine.setPins(new Map([['pin/tag:web', { group: 'tag:web' as never, at: 5, by: 'maria', reason: 'r' }]]));
    await w.settle();
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1']);
    await w.engine.setPins(new Map());
    await w.settle();
    expect(w.inKernel('tag:web')).toBeUndefined();
  });

  it('refuses a second group with the same kernel name, and takes it when the name is free (invariant 11, N27)', async () => {
    const w = new EngineWorld({ config: v4, ports: { digest: () => new Uint8Array(32).fill(7) } });
    const [long, other] = [`tag:${'a'.repeat(60)}`, `tag:${'b'.repeat(60)}`];
    const p = (id: string, tag: string) => profile(id, tag.slice(4));
    await w.apply(p('a', long), endpoint('a', ['a'], ['10.0.0.1']));
    await w.apply(p('b', other), endpoint('b', ['b'], ['10.0.0.2']));
    expect(w.set(long).name).toBe(w.set(other).name);
    expect([...w.kernel.sets.keys()]).toEqual([w.set(long).name]);
    expect(w.kernel.members(w.set(long).name as string)).toEqual(['10.0.0.1']);
    expect(w.codes).toContain('name-collision');
    expect(w.engine.settled().failed).toEqual([other]);
    await w.apply(gone('profile', 'a'));
    expect(w.kernel.members(w.set(other).name as string)).toEqual(['10.0.0.2']);
    expect(w.codes).not.toContain('name-collision');
  });

  it('says when a set that was used is used no longer', async () => {
    const w = world();
    await w.apply(...web('10.0.0.1'));
    w.kernel.use(w.name('tag:web'));
    await w.pass(11_000, 500);
    expect(w.codes).not.toContain('no-longer-used');
    w.kernel.use(w.name('tag:web'), 0);
    await w.pass(11_000, 500);
    expect(w.codes).toContain('no-longer-used');
    w.kernel.use(w.name('tag:web'));
    await w.pass(11_000, 500);
    expect(w.codes).not.toContain('no-longer-used');
  });

  it('is not announced as live with an over-full first content, applies removals, and fills up (F21, invariant 9)', async () => {
    const w = world({ config: { sets: { families: ['inet'], maxelem: 2 } } });
    await w.apply(...web('10.0.0.3', '10.0.0.1', '10.0.0.2', '10.0.0.4'));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(w.phase('tag:web')).toBe('starting');
    expect(w.codes).toContain('over-capacity');
    await w.apply(endpoint('e', ['p'], ['10.0.0.2', '10.0.0.4', '10.0.0.3', '10.0.0.9']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
    await w.apply(endpoint('e', ['p'], ['10.0.0.0', '10.0.0.2', '10.0.0.3']));
    expect(w.inKernel('tag:web')).toEqual(['10.0.0.2', '10.0.0.3']);
    await w.apply(endpoint('e', ['p'], ['10.0.0.2', '10.0.0.3']));
    expect(w.phase('tag:web')).toBe('live');
    expect(w.codes).not.toContain('over-capacity');
  });

  it('shows sets that are nearly full', async () => {
    const w = world({ config: { sets: { families: ['inet'], maxelem: 20 } } });
    await w.apply(...web(...Array.from({ length: 16 }, (_, i) => `10.0.0.${i + 1}`)));
    expect(w.codes).toContain('capacity-80');
    await w.apply(
      endpoint(
        'e',
        ['p'],
        Array.from({ length: 19 }, (_, i) => `10.0.0.${i + 1}`),
      ),
    );
    expect(w.problems.list()).toContainEqual(
      expect.objectContaining({
        code: 'capacity-95',
        consequence: 'Members that find no room will not be in the kernel.',
      }),
    );
    expect(w.codes).not.toContain('capacity-80');
  });
});
