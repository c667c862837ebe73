import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Member } from '@setkeeper/ipset';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  address,
  EngineWorld,
  endpoint,
  list,
  network,
  profile,
  type WorldOptions,
} from '../engine/testing/engine-world.ts';
import { restoreLine } from '../restore/restore-line.ts';
import { BootFiles } from './boot-files.ts';
import { BootFolder } from './boot-folder.ts';
import { exportRestore } from './export-restore.ts';
import { type TextSink, writeAcknowledged } from './write-acknowledged.ts';

let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'sk-boot-')), 'boot.d');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

const INET = { config: { sets: { families: ['inet'] as ('inet' | 'inet6')[] } } };

function bootFiles(world: EngineWorld, folder: string = path): BootFiles {
  return new BootFiles({
    folder: new BootFolder(folder),
    path: folder,
    everySeconds: 10,
    sets: () => world.engine.state.registry.all(),
    isForeign: () => false,
    isReady: () => world.engine.state.isAdopted,
    render: restoreLine,
    still: (act) => world.engine.still(act),
    clock: world.clock,
    problems: world.problems,
  });
}
/** Files that are done. */
const done = (): readonly string[] => readdirSync(path).filter((file) => !file.startsWith('.'));
const texts = (): Record<string, string> =>
  Object.fromEntries(done().map((file) => [file, readFileSync(join(path, file), 'utf8')]));
const whole = (): string => Object.values(texts()).join('');

/** A world with a settled model, and its boot files as a clean stop leaves them. */
async function written(options: WorldOptions, ...model: Parameters<EngineWorld['change']>[0]): Promise<EngineWorld> {
  const world = new EngineWorld(options);
  await world.apply(...model);
  await bootFiles(world).stop();
  return world;
}

describe('boot files', () => {
  it('hold every acknowledged set as plain restore input, lists last, protocols as numbers', async () => {
    const world = await written(
      INET,
      profile('web', 'web'),
      { ...endpoint('a', ['web'], ['10.0.0.1']), ports: new Map([['http', { protocol: 'tcp', port: 8080 }]]) } as never,
      network('corp', ['10.0.0.0/8', '0.0.0.0/0'], ['10.1.0.0/16']),
      list('trusted', 'tag:web', 'net:corp'),
    );
    const port = world.name('port:web/http');
    const files = texts();
    expect(Object.keys(files)).toEqual(['1-sets-00001.restore', '2-lists-00001.restore']);
    expect(files['1-sets-00001.restore']?.split('\n').toSorted()).toEqual(
      [
        '',
        '# end',
        'add sk-v4-n.corp 0.0.0.0/1',
        'add sk-v4-n.corp 10.0.0.0/8',
        'add sk-v4-n.corp 10.1.0.0/16 nomatch',
        'add sk-v4-n.corp 128.0.0.0/1',
        'add sk-v4-t.web 10.0.0.1',
        `add ${port} 10.0.0.1,6:8080`,
        'create sk-v4-n.corp hash:net family inet hashsize 64 maxelem 1048576',
        'create sk-v4-t.web hash:ip family inet hashsize 64 maxelem 1048576',
        `create ${port} hash:ip,port family inet hashsize 64 maxelem 1048576`,
      ].toSorted(),
    );
    expect(files['2-lists-00001.restore']?.split('\n')).toEqual([
      'create sk-l.trusted list:set size 8',
      'add sk-l.trusted sk-v4-t.web',
      'add sk-l.trusted sk-v4-n.corp',
      '# end',
      '',
    ]);
    const exported = await exportRestore(world.engine.state.registry.all(), restoreLine, (act) =>
      world.engine.still(act),
    );
    expect(exported.split('\n').toSorted()).toEqual(
      whole()
        .split('\n')
        .filter((line, i, all) => line !== '# end' && (line !== '' || i === all.length - 1))
        .toSorted(),
    );
    expect(exported.indexOf('list:set')).toBeGreaterThan(exported.lastIndexOf('hash:'));
  });

  it('hold what the kernel has and not what the model wants: held removals stay, what waits for an apply is not there', async () => {
    const everyone = Array.from({ length: 100 }, (_, i) => endpoint(`e${i}`, ['web'], [address(i + 1)]));
    const world = await written(INET, profile('web', 'web'), ...everyone);
    await world.apply(...everyone.slice(0, 90).map(({ id }) => ({ gone: 'endpoint' as const, id })));
    expect(world.codes).toContain('change-held');
    await bootFiles(world).stop();
    expect(whole().match(/^add /gmu)).toHaveLength(100);

    const manual = new EngineWorld({ config: { sets: { families: ['inet'], apply: 'manual' } } });
    manual.change([profile('web', 'web'), endpoint('a', ['web'], ['10.0.0.1'])]);
    await manual.pass(1_000);
    expect(manual.codes).toEqual(['apply-waiting']);
    await bootFiles(manual).stop();
    expect(whole()).toBe('');
  });

  it('leave out what somebody else put in, and keep what somebody else took out', async () => {
    const world = await written(
      { config: { sets: { families: ['inet'] }, resync: { repair: false, headersSeconds: 1 } } },
      profile('web', 'web'),
      endpoint('a', ['web'], ['10.0.0.1']),
    );
    const name = world.name('tag:web');
    world.kernel.sets.get(name)?.elements.clear();
    world.kernel.sets.get(name)?.elements.set('10.9.9.9', '10.9.9.9' as Member);
    await world.engine.drift.check(world.set('tag:web'));
    await world.settle();
    expect(world.codes).toContain('drift');
    await bootFiles(world).stop();
    expect(whole().match(/^add .*$/gmu)).toEqual([`add ${name} 10.0.0.1`]);
  });

  it('are written at most every ten seconds, only where something changed, and always at a clean stop', async () => {
    const world = new EngineWorld(INET);
    const files = bootFiles(world);
    const tags = Array.from({ length: 300 }, (_, i) => [
      profile(`p${i}`, `t${i}`),
      endpoint(`e${i}`, [`p${i}`], [address(i + 1)]),
    ]);
    await world.apply(...tags.flat());
    files.wake();
    world.clock.advance(0);
    await expect.poll(() => tryTimes()).toHaveLength(2);
    const first = times();

    await world.apply(endpoint('e299', ['p299'], ['10.200.0.1']));
    files.wake();
    await world.pass(5_000);
    expect(times()).toEqual(first);
    await world.pass(6_000);
    await expect.poll(() => whole()).toContain('10.200.0.1');
    expect(times().filter((time) => first.includes(time))).toHaveLength(1);

    await world.apply(endpoint('e0', ['p0'], ['10.200.0.2']));
    files.wake();
    await files.stop();
    expect(whole()).toContain('10.200.0.2');
    expect(readdirSync(path)).toEqual(['1-sets-00001.restore', '1-sets-00002.restore']);
  });

  it('go with the last set in them, and files of somebody else stay', async () => {
    const world = await written(INET, profile('web', 'web'), list('all', 'tag:web'));
    writeFileSync(join(path, '3-mine.restore'), 'create mine hash:ip\n');
    writeFileSync(join(path, '.1-sets-00009.restore.new'), 'half wr');
    await world.apply({ gone: 'list', id: 'all' });
    await bootFiles(world).stop();
    expect(readdirSync(path)).toEqual(['1-sets-00001.restore', '3-mine.restore']);
  });

  it('keep the lines of a set whose content is not known just now', async () => {
    const world = await written(
      INET,
      profile('web', 'web'),
      profile('db', 'db'),
      endpoint('a', ['web', 'db'], ['10.0.0.1']),
    );
    world.set('tag:web').ledger.becomeUnknown('it could not be read');
    world.membership.apply([]);
    const before = texts();
    await bootFiles(world).stop();
    expect(texts()).toEqual(before);
    expect(whole()).toContain('add sk-v4-t.web 10.0.0.1');
  });

  it('are not written before the kernel was taken over', async () => {
    const world = new EngineWorld({ ...INET, isSilent: true });
    await bootFiles(world).stop();
    expect(() => readdirSync(path)).toThrow('ENOENT');
  });

  it('raise a problem where they cannot be written, and clear it when they can', async () => {
    const world = await written(INET, profile('web', 'web'), endpoint('a', ['web'], ['10.0.0.1']));
    const blocked = join(path, '1-sets-00001.restore', 'boot.d');
    const files = bootFiles(world, blocked);
    files.wake();
    world.clock.advance(0);
    await expect.poll(() => world.codes).toEqual(['boot-files']);
    rmSync(join(path, '1-sets-00001.restore'));
    world.clock.advance(31_000);
    await expect.poll(() => world.codes).toEqual([]);
    expect(readFileSync(join(blocked, '1-sets-00001.restore'), 'utf8')).toContain('add sk-v4-t.web 10.0.0.1');
    await files.stop();
  });

  const times = (): readonly bigint[] => done().map((file) => statSync(join(path, file), { bigint: true }).mtimeNs);
  const tryTimes = (): readonly bigint[] => {
    try {
      return times();
    } catch {
      return [];
    }
  };
});

describe('writing a set down', () => {
  /** A set of more than one piece; `onWrite` is called after each piece, with whether the model is kept still. */
  async function write(onWrite: (world: EngineWorld, writes: number, isStill: boolean) => unknown) {
    const world = new EngineWorld(INET);
    const everyone = Array.from({ length: 6_000 }, (_, i) => endpoint(`e${i}`, ['web'], [address(i + 1)]));
    await world.apply(profile('web', 'web'), ...everyone);
    const set = world.set('tag:web');
    let text = '';
    let writes = 0;
    let isStill = false;
    const sink: TextSink = {
      write: async (piece) => {
        text += piece;
        await onWrite(world, ++writes, isStill);
      },
      mark: () => text.length,
      rewind: async (mark) => {
        text = text.slice(0, mark);
      },
    };
    const written = await writeAcknowledged(set, { render: restoreLine, isLoadable: () => true }, sink, (act) =>
      world.engine.still(() => {
        isStill = true;
        return act();
      }),
    );
    const version = set.ledger.version;
    const elements = [...text.matchAll(/^add sk-v4-t\.web (.*)$/gmu)].map(([, element = '']) => element);
    return { world, written, version, elements, isStill };
  }

  it('gives it as it was at one moment, though it changes meanwhile', async () => {
    // The first and the second attempt are overtaken by a change.
    const { world, written, version, elements, isStill } = await write((world, writes) =>
      writes <= 2 ? world.apply(endpoint(`e${writes}`, ['web'], [`10.200.0.${writes}`])) : undefined,
    );
    expect(written).toEqual({ kind: 'written', version });
    expect(elements.toSorted()).toEqual(world.inKernel('tag:web'));
    expect(isStill).toBe(false);
  });

  it('makes the model wait for a set that changes all the time, and loses none of its changes', async () => {
    const { world, written, elements, isStill } = await write((world, writes) =>
      world.change([endpoint('e1', ['web'], [`10.200.${writes}.1`])]),
    );
    expect(written.kind).toBe('written');
    expect(isStill).toBe(true);
    expect(elements).toHaveLength(6_000);
    const before = elements.toSorted();
    await world.settle();
    const after = world.inKernel('tag:web') ?? [];
    expect(after.filter((element) => !before.includes(element))).toHaveLength(1);
  });
});
