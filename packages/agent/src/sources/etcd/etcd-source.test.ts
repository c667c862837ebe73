import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Etcd3 } from 'etcd3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectKey } from '../../model/objects.ts';
import { nodeClock } from '../../node-clock.ts';
import { validateDirectory } from '../directory/validate-directory.ts';
import { createMemoryLastGood } from '../memory-last-good.ts';
import type { Source, SourceUpdate } from '../source.ts';
import { createEtcdSource, type EtcdSourceOptions } from './etcd-source.ts';
import { EtcdServer, etcdProgram } from './testing/etcd-server.ts';

const program = etcdProgram();
if (program === null) console.warn('skipped: etcd is not there (Debian package etcd-server)');
const openssl = hasOpenssl();
if (!openssl) console.warn('skipped: TLS to etcd, because openssl is not there to make certificates');
const PREFIX = '/setkeeper/v1';
const EXAMPLES = join(import.meta.dirname, '../../../../../examples');

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A source under test with the model that its updates make. */
class Follower {
  readonly lastGood = createMemoryLastGood();
  readonly model = new Map<ObjectKey, string>();
  readonly updates: SourceUpdate[] = [];
  #source: Source | null = null;
  #changed: () => void = () => {};

  async start(endpoint: string, more: Partial<EtcdSourceOptions> = {}): Promise<void> {
    this.#source = createEtcdSource({
      name: 'etcd',
      endpoints: [endpoint],
      prefix: PREFIX,
      layout: 'setkeeper',
      host: 'node-a',
      clock: nodeClock,
      lastGood: this.lastGood,
      backOffMs: 20,
      backOffMsMax: 200,
      ...more,
    });
    await this.#source.start((update) => {
      this.updates.push(update);
      for (const { key, text } of update.upserts) this.model.set(key, text);
      for (const key of update.deletes) {
        // A delete of what was never said would be an invention.
        if (!this.model.delete(key)) throw new Error(`deleted without having been there: ${key}`);
      }
      this.#changed();
    });
  }

  /** Resolves when the newest update, or the model it makes, fits. */
  async until(fits: (update: SourceUpdate, model: ReadonlyMap<ObjectKey, string>) => boolean): Promise<SourceUpdate> {
    for (;;) {
      const update = this.updates.at(-1);
      if (update !== undefined && fits(update, this.model)) return update;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  current(): Promise<SourceUpdate> {
    return this.until(({ state }) => state === 'current');
  }

  async accept(): Promise<void> {
    await this.#source?.accept?.();
  }

  async stop(): Promise<void> {
    await this.#source?.stop();
  }
}

const profileText = (tag: string) => JSON.stringify({ tags: [tag] });
const has = (id: string, tag: string) => (_update: SourceUpdate, model: ReadonlyMap<ObjectKey, string>) =>
  model.get(`profile/${id}` as ObjectKey) === profileText(tag);

describe.skipIf(program === null)('an etcd source', { timeout: 60_000 }, () => {
  let server: EtcdServer;
  let client: Etcd3;
  let follower: Follower;

  beforeEach(async () => {
    server = new EtcdServer(program ?? '');
    await server.start();
    client = new Etcd3({ hosts: server.endpoint });
    follower = new Follower();
  });
  afterEach(async () => {
    await follower.stop();
    client.close();
    await server.remove();
  });
  const put = (id: string, tag: string) => client.put(`${PREFIX}/profiles/${id}`).value(profileText(tag));
  const remove = (id: string) => client.delete().key(`${PREFIX}/profiles/${id}`);
  /** What etcd holds, as a model. */
  const truth = async () => {
    const pairs = await client.getAll().prefix(`${PREFIX}/profiles/`).strings();
    return new Map(Object.entries(pairs).map(([key, text]) => [`profile/${key.split('/').at(-1)}`, text]));
  };

  it('takes a snapshot of many pages, then follows, one update for one transaction', async () => {
    const ids = Array.from({ length: 4_500 }, (_, i) => `p${i}`);
    for (let at = 0; at < ids.length; at += 100) {
      const puts = ids.slice(at, at + 100).map((id) => client.put(`${PREFIX}/profiles/${id}`).value(profileText('x')));
      await client
        .if('none', 'Version', '==', 0)
        .then(...puts)
        .commit();
    }
    await client.put('/elsewhere/profiles/no').value(profileText('x'));
    await client.put(`${PREFIX}x/profiles/no`).value(profileText('x'));
    await follower.start(server.endpoint);
    expect(follower.updates[0]).toMatchObject({ state: 'missing', upserts: [] });
    await follower.current();
    expect(follower.model.size).toBe(4_500);
    const before = follower.updates.length;
    await client.if('none', 'Version', '==', 0).then(put('p1', 'y'), put('new', 'y'), remove('p2')).commit();
    await follower.until(has('new', 'y'));
    expect(follower.updates.length).toBe(before + 1);
    expect(follower.updates.at(-1)).toMatchObject({
      deletes: ['profile/p2'],
      detail: expect.stringMatching(/revision \d+ of cluster \d+/),
    });
    expect(follower.model).toEqual(await truth());
  });

  it('keeps the last good value of a faulty key, also over a restart, until the key goes or an operator accepts', async () => {
    await put('web', 'x');
    await put('db', 'x');
    await follower.start(server.endpoint);
    await follower.current();
    await client.put(`${PREFIX}/profiles/web`).value('{"tags": "x"}');
    const faulty = await follower.until(({ faults }) => faults.length > 0);
    expect(faulty).toMatchObject({ deletes: [], faults: [{ file: 'profiles/web', path: 'profiles.web.tags' }] });
    await follower.stop();
    await follower.start(server.endpoint);
    expect(follower.updates.at(-1)).toMatchObject({ state: 'stale', since: expect.any(Number) });
    await follower.current();
    expect(follower.model.get('profile/web' as ObjectKey)).toBe(profileText('x'));
    await remove('web');
    await follower.until((_update, model) => model.size === 1);
    await client.put(`${PREFIX}/profiles/db`).value('nonsense');
    await follower.until(({ faults }) => faults.some(({ file }) => file === 'profiles/db'));
    await follower.accept();
    expect(follower.model.size).toBe(0);
  });

  it('ends with what etcd holds when etcd is killed during 5,000 changes and started again', async () => {
    await put('first', 'x');
    await follower.start(server.endpoint);
    await follower.current();
    let kills = 0;
    for (let i = 0; i < 5_000; i += 25) {
      if (i % 1_250 === 625) {
        await server.kill('SIGKILL');
        kills++;
        await follower.until(({ state }) => state === 'stale');
        const size = follower.model.size;
        await server.start();
        expect(follower.model.size).toBeGreaterThanOrEqual(size);
      }
      const changes = Array.from({ length: 25 }, (_, j) => (i + j) % 3_000);
      await retried(() =>
        client
          .if('none', 'Version', '==', 0)
          .then(...changes.map((id) => (id % 7 === 3 && i > 2_500 ? remove(`p${id}`) : put(`p${id}`, `t${i}`))))
          .commit(),
      );
    }
    expect(kills).toBe(4);
    await retried(() => put('last', 'done'));
    await follower.until(has('last', 'done'));
    expect(follower.model).toEqual(await truth());
    expect(follower.updates.filter(({ state }) => state === 'missing')).toHaveLength(1);
  });

  it('leaves everything as it was while etcd is gone, and says since when', async () => {
    await put('web', 'x');
    await follower.start(server.endpoint);
    await follower.current();
    await server.kill();
    const gone = await follower.until(({ state }) => state === 'stale');
    expect(gone).toMatchObject({ upserts: [], deletes: [], detail: expect.stringContaining(server.endpoint) });
    expect(gone.since).toBeLessThanOrEqual(Date.now());
    expect(follower.model.size).toBe(1);
  });

  it('takes a new snapshot when history is compacted away while it was not there', async () => {
    await put('web', 'x');
    await put('gone', 'x');
    await follower.start(server.endpoint);
    await follower.current();
    await follower.stop();
    await remove('gone');
    await put('web', 'y');
    const { header } = await client.kv.range({ key: Buffer.from('x') });
    await client.kv.compact({ revision: header.revision, physical: true });
    await follower.start(server.endpoint);
    await follower.current();
    expect(follower.model).toEqual(await truth());
  });

  it('takes a new snapshot of a cluster that was restored from older data, or is another one', async () => {
    await put('old', 'x');
    await server.kill('SIGTERM');
    server.keep('backup');
    await server.start();
    await retried(() => put('newer', 'x'));
    await follower.start(server.endpoint);
    await follower.current();
    await server.kill();
    server.restore('backup');
    await server.start();
    await follower.until((update, model) => update.state === 'current' && model.size === 1);
    expect(follower.model).toEqual(await truth());
    await server.kill();
    server.wipe();
    await server.start();
    await follower.until((update, model) => update.state === 'current' && model.size === 0);
  });

  it('asks with name and password, and says when they are refused', async () => {
    const role = await client.role('keeper').create();
    await role.grant({ permission: 'Read', range: client.range({ prefix: `${PREFIX}/` }) });
    const user = await client.user('setkeeper').create('right');
    await user.addRole('keeper');
    await client.user('root').create('root');
    await client.role('root').create();
    await client.user('root').addRole('root');
    await put('web', 'x');
    await client.auth.authEnable();
    const folder = mkdtempSync(join(tmpdir(), 'setkeeper-password-'));
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'wrong\n');
    await follower.start(server.endpoint, { username: 'setkeeper', passwordFile });
    await follower.until(({ detail }) => /authentication failed/u.test(detail ?? ''));
    writeFileSync(passwordFile, 'right\n');
    await follower.until(has('web', 'x'));
    rmSync(folder, { recursive: true });
  });

  it('reads the layout calico-v1', async () => {
    const calico = (key: string) => client.put(`/calico/v1/${key}`);
    await calico('policy/profile/web/tags').value('["web"]');
    await calico('host/node-a/workload/k8s/one/endpoint/eth0').value(
      JSON.stringify({ state: 'active', profile_ids: ['web'], ipv4_nets: ['10.0.0.1/32'] }),
    );
    await calico('policy/profile/web/rules').value(JSON.stringify({ inbound_rules: [{ src_tag: 'web' }] }));
    await follower.start(server.endpoint, { layout: 'calico-v1' });
    await follower.current();
    expect([...follower.model.keys()].sort()).toEqual([
      'endpoint/node-a/k8s/one/eth0',
      'profile/web',
      'references/profile/web',
    ]);
    await calico('host/node-a/workload/k8s/one/endpoint/eth0').value(JSON.stringify({ state: 'inactive' }));
    await follower.until((_update, model) => !model.has('references/profile/web' as ObjectKey));
  });

  it('holds the example model after the example has loaded it', async () => {
    await client.put(`${PREFIX}/profiles/not-of-the-model`).value(profileText('x'));
    const load = (...args: readonly string[]) =>
      execFileSync(process.execPath, [join(EXAMPLES, 'etcd/load.ts'), ...args], { encoding: 'utf8' });
    expect(load(join(EXAMPLES, 'model'), server.endpoint)).toMatch(/^\d+ objects of/);
    await follower.start(server.endpoint);
    await follower.current();
    const { objects } = await validateDirectory(join(EXAMPLES, 'model'));
    expect(follower.updates.at(-1)?.faults).toEqual([]);
    expect([...follower.model.keys()].sort()).toEqual(objects.map(({ key }) => key).sort());
  });

  it('tries the next endpoint when one does not answer', async () => {
    await put('web', 'x');
    await follower.start(server.endpoint, { endpoints: ['http://127.0.0.1:9', server.endpoint] });
    await follower.until(has('web', 'x'));
  });
});

describe.skipIf(program === null || !openssl)('an etcd source over TLS', { timeout: 60_000 }, () => {
  it('proves itself with a certificate, and trusts only the authority it was given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'setkeeper-tls-'));
    const path = (name: string) => join(folder, name);
    makeCertificates(folder);
    const tls = [
      ...['--cert-file', path('server.crt'), '--key-file', path('server.key')],
      ...['--client-cert-auth', '--trusted-ca-file', path('ca.crt')],
    ];
    const server = new EtcdServer(program ?? '', { tls });
    const follower = new Follower();
    try {
      await server.start();
      await follower.start(server.endpoint, {
        ca: path('other.crt'),
        cert: path('client.crt'),
        key: path('client.key'),
      });
      await follower.until(({ state, detail }) => state === 'missing' && detail?.includes(server.endpoint) === true);
      await follower.stop();
      await follower.start(server.endpoint, { ca: path('ca.crt'), cert: path('client.crt'), key: path('client.key') });
      await follower.current();
    } finally {
      await follower.stop();
      await server.remove();
      rmSync(folder, { recursive: true });
    }
  });
});

/** Two authorities, and a server and a client of the first. */
function makeCertificates(folder: string): void {
  const openSsl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  for (const name of ['ca', 'other']) {
    openSsl('req', '-x509', ...curve, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`);
  }
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  for (const name of ['server', 'client']) {
    openSsl('req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    openSsl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', '2', '-extfile', 'names', '-out', `${name}.crt`],
    );
  }
}

/** A writer whose etcd was just killed: tries until it is taken. */
async function retried<T>(work: () => PromiseLike<T>): Promise<T> {
  for (let left = 200; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
