import { desiredHeader, type Family, type ManagedType, type Member, type SetName } from '@setkeeper/ipset';
import { createFakeClock, FakeKernel, FakeLauncher, type FakeLauncherOptions, FakeRestore } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import type { Digest, Plan, Section } from '../plan/plan.ts';
import { createRestoreExecutor } from './create-restore-executor.ts';
import type { Progress } from './execution.ts';

describe('a line that is rejected', () => {
  it('takes no neighbour with it: create, add A, add B, a bad line, add C', async () => {
    for (const bad of [
      '2001:db8::1',
      '0.0.0.0',
      '192.0.2.9 nomatch',
      '192.0.2.1,tcp:80',
      'localhost',
      'x y',
      '-exist',
    ]) {
      const { kernel, execute } = await setUp();
      const execution = await execute(create('s', ['192.0.2.1', '192.0.2.2', bad, '192.0.2.3']));
      expect(kernel.elements('s'), bad).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
      expect(execution.counts, bad).toEqual({ applied: 4, rejected: 1, skipped: 0, notRun: 0 });
      expect(execution.exceptions, bad).toMatchObject([{ line: 4, outcome: 'rejected' }]);
    }
  });

  it('carries the words of ipset and their class', async () => {
    const { execute } = await setUp();
    const execution = await execute(create('s', ['192.0.2.1', '0.0.0.0']));
    expect(execution.exceptions[0]).toEqual({
      line: 3,
      outcome: 'rejected',
      code: 'null-element',
      message: 'Null-valued element, cannot be stored in a hash type of set',
      raw: expect.stringContaining('Null-valued element'),
    });
  });

  it('of a full set leaves the members that fit', async () => {
    const { kernel, execute } = await setUp();
    const { exceptions } = await execute(
      create('s', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], { maxelem: 2 }),
    );
    expect(exceptions.map(({ line, code }) => [line, code])).toEqual([
      [4, 'full'],
      [5, 'full'],
    ]);
    expect(kernel.elements('s')).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  it('of a set that is full for thousands costs some children, not thousands, and says of each what is true', async () => {
    const { kernel, execute, launcher, load } = await setUp();
    const members = Array.from({ length: 5000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`).slice(1);
    load('create s hash:ip hashsize 64 maxelem 100', `add s ${members[4000]}`);
    const { exceptions, counts } = await execute(create('s', members, { maxelem: 100 }));
    expect(kernel.elements('s')).toHaveLength(100);
    expect(counts).toEqual({ applied: 101, rejected: 4899, skipped: 0, notRun: 0 });
    expect(new Set(exceptions.map(({ code }) => code))).toEqual(new Set(['full']));
    expect(exceptions.map(({ line }) => line)).not.toContain(4000 + 2);
    expect(launcher.restores).toBeLessThan(20);
  });

  it('in the fill of a rewrite is left out, and the rest is swapped in', async () => {
    const { kernel, execute, load } = await setUp();
    load('create s hash:ip', 'add s 192.0.2.200');
    const execution = await execute(rewrite('s', ['192.0.2.1', '2001:db8::1', '192.0.2.2']));
    expect(kernel.elements('s')).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(execution.counts).toEqual({ applied: 5, rejected: 1, skipped: 0, notRun: 0 });
    expect([...kernel.sets.keys()]).not.toContain('sk-tmp-s');
  });
});

describe('a create that is rejected', () => {
  it('skips the rest of its section, and nothing else', async () => {
    const { kernel, execute, load } = await setUp();
    load('create s hash:net', 'add s 10.0.0.0/8');
    const execution = await execute(create('s', ['192.0.2.1', '192.0.2.2']), create('t', ['192.0.2.3']));
    expect(execution.exceptions).toMatchObject([
      { line: 1, outcome: 'rejected', code: 'set-exists' },
      { line: 2, lastLine: 3, outcome: 'skipped', because: 1 },
    ]);
    expect(kernel.elements('s')).toEqual(['10.0.0.0/8']);
    expect(kernel.elements('t')).toEqual(['192.0.2.3']);
  });

  it.each([[['192.0.2.1', '192.0.2.2']], [[]]])(
    'because of another family is noticed though ipset says nothing (%j)',
    async (adds) => {
      const { execute, load } = await setUp();
      load('create s hash:ip family inet6 hashsize 64 maxelem 65536');
      const execution = await execute(create('s', adds));
      expect(execution.exceptions[0]).toMatchObject({ line: 1, outcome: 'rejected', code: 'set-exists' });
      expect(execution.exceptions[0]?.message).toContain('family inet6 instead of inet');
      expect(execution.counts).toMatchObject({ rejected: 1, skipped: adds.length });
      expect(execution.unsure).toContain('s');
    },
  );

  it('of main skips the swap alone: the temporary set is destroyed', async () => {
    const { kernel, execute, load } = await setUp();
    load('create s hash:net');
    const execution = await execute(rewrite('s', ['192.0.2.1'], { createMain: true }));
    expect(execution.exceptions).toMatchObject([
      { line: 3, outcome: 'rejected', code: 'set-exists' },
      { line: 4, outcome: 'skipped', because: 3 },
    ]);
    expect([...kernel.sets.keys()].filter((name) => name.startsWith('sk-tmp'))).toEqual([]);
  });
});

describe('a swap that is rejected', () => {
  it('leaves main as it was and destroys the temporary set', async () => {
    const { kernel, execute, load } = await setUp();
    load('create s hash:net', 'add s 10.0.0.0/8');
    const execution = await execute(rewrite('s', ['192.0.2.1']));
    expect(execution.exceptions).toMatchObject([{ line: 3, outcome: 'rejected', code: 'type-mismatch' }]);
    expect(kernel.elements('s')).toEqual(['10.0.0.0/8']);
    expect([...kernel.sets.keys()].filter((name) => name.startsWith('sk-tmp'))).toEqual([]);
  });

  it('for want of main is mended', async () => {
    const { kernel, execute } = await setUp();
    const execution = await execute(rewrite('s', ['192.0.2.1']));
    expect(execution.exceptions).toEqual([]);
    expect(kernel.elements('s')).toEqual(['192.0.2.1']);
  });
});

describe('a destroy', () => {
  it('of sets in use leaves their content, and the free one goes', async () => {
    const { kernel, execute, load } = await setUp();
    const used = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of [...used, 'free']) load(`create ${name} hash:ip`, `add ${name} 192.0.2.1`);
    for (const name of used) kernel.hold(name);
    const execution = await execute(...used.map(destroy), destroy('free'));
    expect(execution.exceptions.map(({ code }) => code)).toEqual(used.map(() => 'set-in-use'));
    expect([...kernel.sets.keys()].filter((name) => !name.startsWith('sk-ack'))).toEqual(used);
    for (const name of used) expect(kernel.elements(name)).toEqual(['192.0.2.1']);
  });

  it('is never preceded by a flush, and no other text than operations is ever sent', async () => {
    const seen = new Set<string>();
    const { execute, load } = await setUp({ interfere: ({ text }) => void seen.add(text.split(' ')[0] ?? '') });
    load('create s hash:ip', 'add s 192.0.2.1');
    await execute(rewrite('t', ['192.0.2.1'], { createMain: true }), destroy('s'), destroy('missing'));
    expect([...seen].sort()).toEqual(['add', 'create', 'destroy', 'list', 'swap']);
  });

  it('waits for a dump that somebody else runs, and then succeeds', async () => {
    const { kernel, execute, load } = await setUp({
      interfere: ({ child, text }) => {
        if (child > 3 && text === 'destroy s') kernel.endDump('s');
        return undefined;
      },
    });
    load('create s hash:ip');
    kernel.beginDump('s');
    const execution = await execute(destroy('s'));
    expect(execution.exceptions).toEqual([]);
    expect(kernel.sets.has('s')).toBe(false);
  });
});

describe('a swap during a dump', () => {
  it('is tried again until the dump ends', async () => {
    let tries = 0;
    const { kernel, execute, load } = await setUp({
      interfere: ({ text }) => {
        if (text.startsWith('swap') && ++tries === 6) kernel.endDump('s');
        return undefined;
      },
    });
    load('create s hash:ip', 'add s 192.0.2.200');
    kernel.beginDump('s');
    const execution = await execute(rewrite('s', ['192.0.2.1']));
    expect(execution.exceptions).toEqual([]);
    expect(tries).toBe(6);
    expect(kernel.elements('s')).toEqual(['192.0.2.1']);
  });

  it('that never ends is rejected as busy in the end, and main is as it was', async () => {
    const { kernel, execute, load } = await setUp();
    load('create s hash:ip', 'add s 192.0.2.200');
    kernel.beginDump('s');
    const execution = await execute(rewrite('s', ['192.0.2.1']));
    expect(execution.exceptions).toMatchObject([{ line: 3, outcome: 'rejected', code: 'busy' }]);
    expect(kernel.elements('s')).toEqual(['192.0.2.200']);
  });
});

describe('a fault of the world', () => {
  it('such as missing permission ends the run as one problem, and rejects nothing', async () => {
    const { kernel, execute } = await setUp();
    kernel.faults.permission = true;
    const execution = await execute(create('s', ['192.0.2.1']), create('t', ['192.0.2.1']));
    expect(execution.environment).toMatchObject({ code: 'permission' });
    expect(execution.counts).toEqual({ applied: 0, rejected: 0, skipped: 0, notRun: 4 });
  });

  it('such as too many sets keeps what was applied before', async () => {
    const { kernel, execute } = await setUp();
    kernel.faults.setsMax = 2;
    const execution = await execute(create('s', ['192.0.2.1']), create('t', ['192.0.2.1']), create('u', []));
    expect(execution.environment).toMatchObject({ code: 'set-limit' });
    expect(execution.counts).toEqual({ applied: 2, rejected: 0, skipped: 0, notRun: 3 });
    expect(execution.unsure).not.toContain('s');
    expect(kernel.elements('s')).toEqual(['192.0.2.1']);
  });

  it('such as a missing type names the type, and rejects nothing', async () => {
    const { kernel, execute } = await setUp();
    kernel.faults.missingTypes.add('hash:net');
    const execution = await execute(create('n', ['10.0.0.0/8'], { type: 'hash:net' }));
    expect(execution.environment).toMatchObject({
      code: 'type-unsupported',
      message: expect.stringContaining('not supported'),
    });
    expect(execution.counts).toMatchObject({ rejected: 0, notRun: 2 });
  });

  it('such as an ipset that cannot be started is said in its words', async () => {
    const { execute } = await setUp({
      failSpawn: ({ args }) => (args.includes('restore') ? 'no such file: ipset' : undefined),
    });
    const execution = await execute(create('s', ['192.0.2.1']));
    expect(execution.environment).toMatchObject({
      code: 'spawn-failed',
      message: expect.stringContaining('no such file: ipset'),
    });
    expect(execution.counts.notRun).toBe(2);
  });

  it('such as the end of the launcher ends the run', async () => {
    let launcher: FakeLauncher | undefined;
    const fixture = await setUp({
      interfere: ({ text }) => {
        if (text.includes('192.0.2.2')) launcher?.lose('gone');
        return undefined;
      },
    });
    launcher = fixture.launcher;
    const execution = await fixture.execute(create('s', ['192.0.2.1', '192.0.2.2']));
    expect(execution.environment).toBeDefined();
    expect(execution.unsure).toEqual(['s']);
  });

  it('is one exception for a million lines that were not run', async () => {
    const { execute } = await setUp({ interfere: () => 'kill' });
    const members = Array.from({ length: 1_000_000 }, (_, i) => `198.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    const execution = await execute(create('s', members));
    expect(execution.environment).toMatchObject({ code: 'killed' });
    expect(execution.exceptions).toEqual([{ line: 1, lastLine: 1_000_001, outcome: 'not-run' }]);
  });

  it('leaves in doubt whether a set that got no member is of the family that its create asked for', async () => {
    const { execute, load } = await setUp({ interfere: ({ text }) => (text.startsWith('add t') ? 'hang' : undefined) });
    load('create s hash:ip family inet6 hashsize 64 maxelem 65536');
    const execution = await execute(create('s', ['192.0.2.1']), create('t', ['192.0.2.1']));
    expect(execution.environment).toMatchObject({ code: 'timed-out' });
    expect(execution.unsure).toContain('s');
  });

  it('such as a child that is killed each time ends the run after some tries', async () => {
    const { execute, launcher } = await setUp({
      interfere: ({ text }) => (text.startsWith('add s') ? 'kill' : undefined),
    });
    const execution = await execute(create('s', ['192.0.2.1']));
    expect(execution.environment).toMatchObject({ code: 'killed' });
    expect(execution.counts.rejected).toBe(0);
    expect(launcher.restores).toBeLessThan(30);
  });

  it.each(['hang', 'hang-hard'] as const)(
    'such as a child that hangs (%s) ends the run when its time is up',
    async (kind) => {
      const { execute, kernel } = await setUp({
        interfere: ({ text }) => (text === 'add s 192.0.2.2' ? kind : undefined),
      });
      const execution = await execute(create('s', ['192.0.2.1', '192.0.2.2']));
      expect(execution.environment).toMatchObject({ code: 'timed-out' });
      expect(execution.unsure).toEqual(['s']);
      expect(execution.counts.rejected).toBe(0);
      expect(kernel.sets.has('s')).toBe(true);
    },
  );

  it('in a rewrite leaves main as it was and no temporary set', async () => {
    const { execute, kernel, load } = await setUp({
      interfere: ({ text }) => (text === 'add sk-tmp-s 192.0.2.2' ? 'hang' : undefined),
    });
    load('create s hash:ip', 'add s 192.0.2.200');
    const execution = await execute(rewrite('s', ['192.0.2.1', '192.0.2.2']));
    expect(execution.leftTemporary).toEqual([]);
    expect(kernel.elements('s')).toEqual(['192.0.2.200']);
    expect(kernel.sets.has('sk-tmp-s')).toBe(false);
  });
});

describe('a run', () => {
  it('says how far it is, and is stopped between two groups', async () => {
    const stop = new AbortController();
    const { execute, kernel } = await setUp({
      interfere: ({ text }) => {
        if (text.endsWith('198.18.3.1')) stop.abort();
        return undefined;
      },
    });
    const seen: Progress[] = [];
    const members = Array.from({ length: 60_000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`).slice(1);
    const execution = await execute.with({ signal: stop.signal, onProgress: (progress) => seen.push(progress) })(
      create('s', members),
    );
    expect(execution.environment).toMatchObject({ code: 'stopped' });
    expect(execution.counts.applied + execution.counts.notRun).toBe(60_000);
    expect(kernel.elements('s')).toHaveLength(execution.counts.applied - 1);
    expect(seen.at(-1)?.done).toBe(execution.counts.applied);
  });

  it('serves the next one from the same child, and another one after a failure', async () => {
    const { execute, launcher } = await setUp();
    await execute(create('s', ['192.0.2.1']));
    const { attempts } = await execute(delta('s', ['192.0.2.2'], ['192.0.2.1']));
    expect(attempts).toBe(1);
    const warm = launcher.restores;
    await execute(delta('s', ['192.0.2.3'], []));
    expect(launcher.restores).toBe(warm);
    await execute(delta('s', ['0.0.0.0'], []));
    await execute(delta('s', ['192.0.2.4'], []));
    expect(launcher.restores).toBe(warm + 1);
  });

  it('asks a fresh child before it believes one whose view of the set may be stale', async () => {
    const { execute, load, kernel } = await setUp();
    await execute(create('n', ['10.0.0.0/8'], { type: 'hash:net' }));
    load('destroy n', 'create n hash:ip hashsize 64 maxelem 65536');
    const execution = await execute(delta('n', ['10.0.0.0/30'], [], { type: 'hash:net' }));
    expect(execution.exceptions[0]).toMatchObject({ line: 1, outcome: 'rejected', code: 'set-exists' });
    expect(kernel.elements('n')).toEqual([]);
  });

  it('splits many sets over several children', async () => {
    const { execute, launcher, kernel } = await setUp();
    const execution = await execute(...Array.from({ length: 1000 }, (_, i) => create(`s${i}`, ['192.0.2.1'])));
    expect(execution.counts.applied).toBe(2000);
    expect(launcher.restores).toBeGreaterThanOrEqual(4);
    expect(kernel.sets.size).toBe(1001);
  });

  it('takes another acknowledgement set where its name belongs to a set of another kind', async () => {
    const { execute, load, kernel } = await setUp();
    load('create sk-ack-u0 hash:net', 'add sk-ack-u0 10.0.0.0/8');
    const execution = await execute(create('s', ['192.0.2.1']));
    expect(execution.exceptions).toEqual([]);
    expect(kernel.elements('sk-ack-u0')).toEqual(['10.0.0.0/8']);
    expect(kernel.sets.has('sk-ack-u1')).toBe(true);
  });

  it('destroys its acknowledgement set at close, and no child is left', async () => {
    const { execute, executor, kernel, launcher } = await setUp();
    await execute(create('s', ['192.0.2.1']));
    await executor.close();
    expect([...kernel.sets.keys()]).toEqual(['s']);
    expect(launcher.living).toBe(0);
  });

  it('goes on without stdbuf', async () => {
    const { execute, kernel } = await setUp({ missingTools: ['stdbuf'] });
    const execution = await execute(
      rewrite('s', ['192.0.2.1', '0.0.0.0', '192.0.2.2'], { createMain: true }),
      destroy('missing'),
    );
    expect(execution.exceptions).toMatchObject([{ line: 3, outcome: 'rejected' }]);
    expect(kernel.elements('s')).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  it('survives a flood on standard error and a protocol warning', async () => {
    const { execute } = await setUp({
      interfere: ({ line }) => (line === 3 ? 'flood' : line === 4 ? 'warn' : undefined),
    });
    const execution = await execute(create('s', ['192.0.2.1', '0.0.0.0', '192.0.2.2']));
    expect(execution.counts).toEqual({ applied: 3, rejected: 1, skipped: 0, notRun: 0 });
    expect(execution.exceptions[0]).toMatchObject({ line: 3, code: 'null-element' });
  });

  it('hands on each protocol warning once', async () => {
    const warnings: string[] = [];
    const { execute, executor } = await setUp({ interfere: ({ line }) => (line === 3 ? 'warn' : undefined) }, (text) =>
      warnings.push(text),
    );
    await execute(create('s', ['192.0.2.1', '0.0.0.0', '192.0.2.2']));
    await executor.close();
    expect(warnings).toEqual([expect.stringContaining('Kernel support protocol versions')]);
  });
});

async function setUp(options: Partial<FakeLauncherOptions> = {}, onWarning: (text: string) => void = () => undefined) {
  const kernel = options.kernel ?? new FakeKernel();
  const launcher = new FakeLauncher({ ...options, kernel });
  await launcher.acquireWriterLock(1);
  // Time moves only when all else is at rest.
  const clock = createFakeClock();
  const hurried = { ...clock, after: (ms: number, run: () => void) => hurry(clock, ms, run) };
  let names = 0;
  const executor = createRestoreExecutor({
    launcher,
    reader: createKernelReader({ launcher, clock: hurried, ipsetPath: '/usr/sbin/ipset', timeoutSeconds: 60 }),
    clock: hurried,
    ipsetPath: '/usr/sbin/ipset',
    stdbufPath: await launcher.which('stdbuf'),
    prefix: 'sk-',
    unique: () => `u${names++}`,
    random: () => 0.5,
    timeoutSeconds: 60,
    onWarning,
  });
  const withOptions =
    (runOptions: Parameters<typeof executor.execute>[1]) =>
    (...sections: Section[]) =>
      executor.execute({ digest: 'test' as Digest, modelRevision: 1, sections, lines: 0 } satisfies Plan, runOptions);
  return {
    kernel,
    launcher,
    executor,
    execute: Object.assign(withOptions({}), { with: withOptions }),
    load: (...lines: string[]) => {
      for (const line of lines) {
        const process = new FakeRestore(kernel, ['-exist']);
        process.take(line);
        expect(process.end(), line).toBe(0);
      }
    },
  };
}

/** A timer of the fake clock that comes due after some turns of the event loop in which nothing else happened. */
function hurry(clock: ReturnType<typeof createFakeClock>, ms: number, run: () => void): () => void {
  let isCancelled = false;
  let turns = ms < 1000 ? 1 : 200;
  const turn = (): void => {
    if (isCancelled) return;
    if (--turns > 0) setImmediate(turn);
    else {
      clock.advance(ms);
      run();
    }
  };
  setImmediate(turn);
  return () => {
    isCancelled = true;
  };
}

interface SectionOptions {
  readonly type?: ManagedType;
  readonly family?: Family;
  readonly maxelem?: number;
  readonly createMain?: boolean;
}

function section(
  set: string,
  how: Section['how'],
  adds: readonly string[],
  dels: readonly string[],
  options: SectionOptions,
): Section {
  const { type = 'hash:ip', family = 'inet', maxelem = 65_536, createMain = false } = options;
  const name = set as SetName;
  return {
    group: null,
    family,
    set: name,
    how,
    header: how === 'destroy' ? null : desiredHeader({ name, type, family, maxelem, members: 0 }),
    temp: how === 'rewrite' ? (`sk-tmp-${set}` as SetName) : null,
    createMain,
    dels: dels as Member[],
    adds: adds as Member[],
    before: 0,
    after: adds.length,
  };
}

const create = (set: string, adds: readonly string[], options: SectionOptions = {}) =>
  section(set, 'create', adds, [], options);
const rewrite = (set: string, adds: readonly string[], options: SectionOptions = {}) =>
  section(set, 'rewrite', adds, [], options);
const delta = (set: string, adds: readonly string[], dels: readonly string[], options: SectionOptions = {}) =>
  section(set, 'delta', adds, dels, options);
const destroy = (set: string) => section(set, 'destroy', [], [], {});
