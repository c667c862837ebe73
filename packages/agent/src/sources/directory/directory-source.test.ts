import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFakeClock } from '@setkeeper/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryLastGood } from '../memory-last-good.ts';
import type { Source, SourceUpdate } from '../source.ts';
import { createDirectorySource } from './directory-source.ts';
import { inProcessParser } from './in-process-parser.ts';
import type { ModelParser } from './model-parser.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A directory source on a real directory and a clock that only the test moves. */
class Harness {
  readonly base = mkdtempSync(join(tmpdir(), 'setkeeper-model-'));
  readonly root = join(this.base, 'model.d');
  readonly clock = createFakeClock(Date.now());
  readonly lastGood = createMemoryLastGood();
  readonly updates: SourceUpdate[] = [];
  readonly parsed: string[] = [];
  #told = 0;
  #source: Source | null = null;

  constructor() {
    mkdirSync(this.root);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  async start(): Promise<void> {
    const parser: ModelParser = {
      ...inProcessParser,
      parse: (root, path, bytes) => {
        this.parsed.push(path);
        return inProcessParser.parse(root, path, bytes);
      },
    };
    this.#source = createDirectorySource({
      name: 'files',
      path: this.root,
      quietMs: 300,
      clock: this.clock,
      lastGood: this.lastGood,
      parser,
    });
    await this.#source.start((update) => this.updates.push(update));
    this.#told = this.updates.length;
  }

  async stop(): Promise<void> {
    const stopping = this.#source?.stop();
    this.clock.advance(60_000);
    await stopping;
    this.#source = null;
  }

  accept(): Promise<void> {
    return this.#source?.accept?.() ?? Promise.resolve();
  }

  /** The next update, moving time on until it comes. */
  async next(): Promise<SourceUpdate> {
    for (;;) {
      const update = this.updates[this.#told];
      if (update !== undefined) {
        this.#told++;
        return update;
      }
      // Real files take real time: a clock that ran far ahead of them would make every change overdue.
      await new Promise((resolve) => setTimeout(resolve, 1));
      this.clock.advance(5);
    }
  }

  /** Lets everything happen that happens without time passing. */
  async idle(): Promise<void> {
    for (let i = 0; i < 200; i++) await turn();
  }

  get pending(): number {
    return this.updates.length - this.#told;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.base, { recursive: true, force: true });
  }
}

const keys = (update: SourceUpdate) => update.upserts.map(({ key }) => key).sort();
const texts = (update: SourceUpdate) => Object.fromEntries(update.upserts.map(({ key, text }) => [key, text]));
const profiles = (tags: Record<string, string>) =>
  `profiles:\n${Object.entries(tags)
    .map(([id, tag]) => `  ${id}: { tags: [${tag}] }\n`)
    .join('')}`;

describe('a directory source', () => {
  let the: Harness;
  beforeEach(() => {
    the = new Harness();
  });
  afterEach(() => the.remove());

  it('is missing, then current with everything, then says only what changed', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    the.write('deep/b.yml', profiles({ db: 'y' }));
    the.write('c.json', '{"hosts":{"node-a":{"ipv4":"192.0.2.1"}}}');
    the.write('README.md', 'not a document');
    await the.start();
    expect(the.updates).toMatchObject([{ source: 'files', state: 'missing', upserts: [] }]);
    const first = await the.next();
    expect(first).toMatchObject({ state: 'current', faults: [], deletes: [] });
    expect(keys(first)).toEqual(['host/node-a', 'profile/db', 'profile/web']);
    expect(first.upserts.find(({ key }) => key === 'profile/db')?.origin).toEqual({
      source: 'files',
      file: 'deep/b.yml',
      line: 2,
    });
    the.write('deep/b.yml', profiles({ db: 'z' }));
    const second = await the.next();
    expect(texts(second)).toEqual({ 'profile/db': '{"tags":["z"]}' });
    expect(second.files).toEqual(['deep/b.yml']);
    unlinkSync(join(the.root, 'c.json'));
    expect(await the.next()).toMatchObject({ state: 'current', upserts: [], deletes: ['host/node-a'] });
  });

  it('reads each file once, and again only if it changed', async () => {
    for (let i = 0; i < 300; i++) the.write(`d${i % 10}/f${i}.yaml`, profiles({ [`p${i}`]: 'x' }));
    await the.start();
    expect((await the.next()).upserts).toHaveLength(300);
    expect(the.parsed).toHaveLength(300);
    the.write('d0/f0.yaml', profiles({ p0: 'y' }));
    expect(keys(await the.next())).toEqual(['profile/p0']);
    expect(the.parsed).toHaveLength(301);
  });

  it('takes a thousand files that come one after the other as one generation', async () => {
    the.write('first.yaml', profiles({ first: 'x' }));
    await the.start();
    await the.next();
    for (let part = 0; part < 4; part++) {
      for (let i = 0; i < 250; i++) the.write(`many/${part}-${i}.yaml`, profiles({ [`p${part}-${i}`]: 'x' }));
      await the.idle();
      the.clock.advance(200);
      await the.idle();
      expect(the.pending).toBe(0);
    }
    expect((await the.next()).upserts).toHaveLength(1000);
  });

  it('waits while git changes the work tree, and names the commit', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    the.write('.git/HEAD', 'ref: refs/heads/main\n');
    the.write('.git/packed-refs', `# pack-refs\n${commit} refs/heads/main\n`);
    the.write('a.yaml', profiles({ web: 'x' }));
    await the.start();
    const first = await the.next();
    expect(first.commit).toBe(commit);
    expect(first.upserts[0]?.origin.commit).toBe(commit);
    the.write('.git/index.lock', '');
    const now = the.clock.now() / 1000;
    utimesSync(join(the.root, '.git/index.lock'), now, now);
    the.write('a.yaml', profiles({ web: 'y' }));
    for (let i = 0; i < 20; i++) {
      the.clock.advance(500);
      await the.idle();
    }
    expect(the.pending).toBe(0);
    the.write('.git/refs/heads/main', `${commit.replaceAll('0', 'f')}\n`);
    unlinkSync(join(the.root, '.git/index.lock'));
    const second = await the.next();
    expect(second.commit).toBe(commit.replaceAll('0', 'f'));
    expect(texts(second)).toEqual({ 'profile/web': '{"tags":["y"]}' });
  });

  it('takes a switched link as a new generation at once', async () => {
    the.write('..one/a.yaml', profiles({ web: 'x', old: 'x' }));
    the.write('..two/a.yaml', profiles({ web: 'y' }));
    symlinkSync('..one', join(the.root, '..data'));
    symlinkSync('..data/a.yaml', join(the.root, 'a.yaml'));
    await the.start();
    expect(keys(await the.next())).toEqual(['profile/old', 'profile/web']);
    symlinkSync('..two', join(the.root, '..data_tmp'));
    renameSync(join(the.root, '..data_tmp'), join(the.root, '..data'));
    const before = the.clock.monotonic();
    while (the.pending === 0) await turn();
    expect(the.clock.monotonic()).toBe(before);
    expect(await the.next()).toMatchObject({ deletes: ['profile/old'], upserts: [{ key: 'profile/web' }] });
  });

  it('takes a switched root as a new generation', async () => {
    const link = join(the.base, 'current');
    for (const [name, tag] of [
      ['v1', 'x'],
      ['v2', 'y'],
    ] as const) {
      mkdirSync(join(the.base, name));
      writeFileSync(join(the.base, name, 'a.yaml'), profiles({ web: tag }));
    }
    rmSync(the.root, { recursive: true });
    symlinkSync('v1', link);
    renameSync(link, the.root);
    await the.start();
    expect(texts(await the.next())).toEqual({ 'profile/web': '{"tags":["x"]}' });
    symlinkSync('v2', link);
    renameSync(link, the.root);
    expect(texts(await the.next())).toEqual({ 'profile/web': '{"tags":["y"]}' });
  });

  it('keeps what a file said that no longer parses, also across a restart, and says so', async () => {
    the.write('a.yaml', profiles({ web: 'x', api: 'x' }));
    the.write('b.yaml', profiles({ db: 'x' }));
    await the.start();
    await the.next();
    the.write('a.yaml', 'profiles: { web: [\n');
    const broken = await the.next();
    expect(broken).toMatchObject({ state: 'current', upserts: [], deletes: [], faults: [{ file: 'a.yaml', line: 1 }] });
    await the.stop();
    await the.start();
    expect(the.updates.at(-1)).toMatchObject({ state: 'stale' });
    expect(keys(the.updates.at(-1) as SourceUpdate)).toEqual(['profile/api', 'profile/db', 'profile/web']);
    expect(await the.next()).toMatchObject({
      state: 'current',
      upserts: [],
      deletes: [],
      faults: [{ file: 'a.yaml' }],
    });
    the.write('a.yaml', profiles({ web: 'y' }));
    expect(await the.next()).toMatchObject({ faults: [], deletes: ['profile/api'], upserts: [{ key: 'profile/web' }] });
  });

  it('keeps the last good value of one bad object, and takes its neighbours', async () => {
    const endpoint = (address: string, tag: string) =>
      `endpoints:\n  e: { ipv4: [${address}] }\n${profiles({ web: tag })}`;
    the.write('a.yaml', endpoint('192.0.2.1', 'x'));
    await the.start();
    await the.next();
    the.write('a.yaml', endpoint('10.0.0.0/24', 'y'));
    const update = await the.next();
    expect(texts(update)).toEqual({ 'profile/web': '{"tags":["y"]}' });
    expect(update.deletes).toEqual([]);
    expect(update.faults).toMatchObject([{ file: 'a.yaml', line: 2, path: 'endpoints.e.ipv4[0]' }]);
    the.write('a.yaml', 'endpoints: {}\n');
    expect((await the.next()).deletes.toSorted()).toEqual(['endpoint/e', 'profile/web']);
  });

  it('deletes nothing because of a misspelt section', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    await the.start();
    await the.next();
    the.write('a.yaml', 'profile:\n  web: { tags: [x] }\n');
    expect(await the.next()).toMatchObject({ deletes: [], faults: [{ path: 'profile', line: 1 }] });
  });

  it('lets the first of two files with one id stand, and the second take its place', async () => {
    the.write('b.yaml', profiles({ web: 'second' }));
    the.write('a.yaml', profiles({ web: 'first' }));
    await the.start();
    const first = await the.next();
    expect(texts(first)).toEqual({ 'profile/web': '{"tags":["first"]}' });
    expect(first.faults).toEqual([
      {
        file: 'b.yaml',
        line: 2,
        path: 'profiles.web',
        reason: 'this id stands also in a.yaml, which comes first and counts',
        severity: 'error',
      },
    ]);
    unlinkSync(join(the.root, 'a.yaml'));
    const second = await the.next();
    expect(texts(second)).toEqual({ 'profile/web': '{"tags":["second"]}' });
    expect(second.faults).toEqual([]);
  });

  it('takes an object that moved to another file as the same object', async () => {
    the.write('a.yaml', profiles({ web: 'x', api: 'x' }));
    await the.start();
    await the.next();
    the.write('a.yaml', profiles({ api: 'x' }));
    the.write('b.yaml', profiles({ web: 'x' }));
    const moved = await the.next();
    expect(moved.deletes).toEqual([]);
    expect(moved.upserts.find(({ key }) => key === 'profile/web')).toMatchObject({
      origin: { file: 'b.yaml', line: 2 },
    });
  });

  it('is stale, never empty, when the directory vanishes or cannot be listed', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    the.write('sub/b.yaml', profiles({ db: 'x' }));
    await the.start();
    await the.next();
    renameSync(the.root, `${the.root}.away`);
    expect(await the.next()).toMatchObject({
      state: 'stale',
      upserts: [],
      deletes: [],
      detail: expect.stringMatching(/is not there/),
    });
    await expect(the.accept()).rejects.toMatchObject({ code: 'blocked' });
    renameSync(`${the.root}.away`, the.root);
    expect(await the.next()).toMatchObject({ state: 'current', upserts: [], deletes: [] });
    rmSync(the.root, { recursive: true });
    writeFileSync(the.root, 'a file now');
    expect(await the.next()).toMatchObject({ state: 'stale', deletes: [] });
  });

  it('reports an emptied directory as it is: the guard decides what becomes of it', async () => {
    the.write('a.yaml', profiles({ web: 'x', db: 'x' }));
    await the.start();
    await the.next();
    unlinkSync(join(the.root, 'a.yaml'));
    expect((await the.next()).deletes.toSorted()).toEqual(['profile/db', 'profile/web']);
  });

  it('ignores what editors leave, and refuses what leaves the directory or is no file', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    the.write('.a.yaml.swp', 'x');
    the.write('.#a.yaml', 'x');
    the.write('a.yaml~', profiles({ web: 'backup' }));
    the.write('.hidden/c.yaml', profiles({ hidden: 'x' }));
    writeFileSync(join(the.base, 'outside.yaml'), profiles({ outside: 'x' }));
    symlinkSync(join(the.base, 'outside.yaml'), join(the.root, 'link.yaml'));
    symlinkSync('nothing', join(the.root, 'dangling.yaml'));
    symlinkSync('/dev/zero', join(the.root, 'zero.yaml'));
    symlinkSync('.', join(the.root, 'loop'));
    mkdirSync(join(the.root, 'folder.yaml'));
    await the.start();
    const update = await the.next();
    expect(keys(update)).toEqual(['profile/web']);
    expect(update.faults.map(({ file, reason }) => `${file} ${reason}`)).toEqual([
      'dangling.yaml is a symbolic link to nothing',
      'link.yaml leaves the model directory by a symbolic link',
      'zero.yaml leaves the model directory by a symbolic link',
    ]);
  });

  it('reads a network again when a file that it names changes, and keeps it when that file goes', async () => {
    the.write('a.yaml', 'networks: { n: { files: [lists/x.netset] } }');
    the.write('lists/x.netset', '192.0.2.0/24\n');
    await the.start();
    expect(texts(await the.next())).toEqual({ 'network/n': '{"nets":["192.0.2.0/24"],"files":["lists/x.netset"]}' });
    the.write('lists/x.netset', '198.51.100.0/24\n');
    expect(texts(await the.next())).toMatchObject({ 'network/n': expect.stringContaining('198.51.100.0/24') });
    unlinkSync(join(the.root, 'lists/x.netset'));
    expect(await the.next()).toMatchObject({ upserts: [], deletes: [], faults: [{ path: 'networks.n.files[0]' }] });
  });

  it('drops what only last good content holds when an operator accepts what it says now', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    the.write('b.yaml', profiles({ db: 'x' }));
    await the.start();
    await the.next();
    the.write('a.yaml', 'profiles: [');
    await the.next();
    await the.accept();
    expect(await the.next()).toMatchObject({ state: 'current', deletes: ['profile/web'] });
  });

  it('has its content in the store before anybody hears of it', async () => {
    the.write('a.yaml', profiles({ web: 'x' }));
    const stored: number[] = [];
    await the.start();
    const original = the.updates.push.bind(the.updates);
    the.updates.push = (...items) => {
      stored.push([...the.lastGood.load('files')].length);
      return original(...items);
    };
    await the.next();
    expect(stored).toEqual([1]);
    expect(the.lastGood.facts('files')).toMatchObject({ at: expect.any(Number) });
  });
});
