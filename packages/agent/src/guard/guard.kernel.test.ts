import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerbName, verbs } from '@setkeeper/api';
import { type TestNamespace, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { agentBench } from '../daemon/testing/agent-process.ts';
import { savedMembers, withAgent } from '../daemon/testing/with-agent.ts';
import { address } from '../engine/testing/engine-world.ts';
import { EtcdServer, etcdProgram } from '../sources/etcd/testing/etcd-server.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);
const etcd = etcdProgram();
if (etcd === null) console.warn('skipped: an emptied prefix of etcd, which is not there (Debian package etcd-server)');

type Answer<Verb extends VerbName> = z.output<(typeof verbs)[Verb]['output']>;

const WEB = 'sk-v4-t.web';
const INET = { sets: { families: ['inet'] } };
const fleet = (count: number): string =>
  `profiles: { web: { tags: [web] } }\nendpoints:\n${Array.from({ length: count }, (_, i) => `  e${i}: { profiles: [web], ipv4: [${address(i + 1)}] }\n`).join('')}`;

describe.skipIf(why !== null)('the guard of an agent', () => {
  it('takes a copy of the model that is half done for no removal, and forgets it when the copy is whole', () => {
    const files = 2_000;
    const fill = (folder: string, count: number): void => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'profiles.yaml'), 'profiles: { web: { tags: [web] } }\n');
      for (let n = 1; n <= count; n++)
        writeFileSync(join(folder, `e${n}.yaml`), `endpoints: { e${n}: { profiles: [web], ipv4: [${address(n)}] } }\n`);
    };
    return withAgent(
      async ({ bench, namespace }) => {
        const model = join(bench.folder, 'model');
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(files);
        renameSync(model, join(bench.folder, 'before'));
        fill(model, 1);
        const [change] = await bench.until<Answer<'held.list'>>('held.list', undefined, (list) => list.length > 0);
        expect(change).toMatchObject({ state: 'held', removes: files - 1 });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(files);
        const status = await bench.query<Answer<'status.get'>>('status.get');
        expect(status.sentence).toMatch(/^node-a: Held: one change removes 1,999 members/u);

        rmSync(model, { recursive: true });
        renameSync(join(bench.folder, 'before'), model);
        await bench.until<Answer<'held.list'>>('held.list', undefined, (list) => list.length === 0);
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(files);
        expect((await bench.query<Answer<'status.get'>>('status.get')).problems).toEqual([]);
      },
      INET,
      (bench) => fill(join(bench.folder, 'model'), files),
    );
  });

  it('holds a model that goes back in time, with the commit it went back to, and follows what the old state adds', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.settled();
        const git = (...args: string[]) =>
          execa('git', [
            '-C',
            join(bench.folder, 'model'),
            '-c',
            'user.name=t',
            '-c',
            'user.email=t@example.org',
            ...args,
          ]);
        const old = (await git('rev-parse', 'HEAD~')).stdout.trim();
        await git('checkout', '--quiet', old);
        const [change] = await bench.until<Answer<'held.list'>>('held.list', undefined, (list) => list.length > 0);
        expect(change).toMatchObject({ commit: old, removes: 150, sets: [{ group: 'tag:web', of: 200 }] });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(201);

        await bench.mutate('held.release', { id: change?.id, digest: change?.digest, wait: true });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(51);
        await git('checkout', '--quiet', '-');
        await bench.settled();
        await expect.poll(() => savedMembers(namespace, WEB), { timeout: 30_000 }).toHaveLength(200);
      },
      INET,
      async (bench) => {
        const model = join(bench.folder, 'model');
        const git = (...args: string[]) =>
          execa('git', ['-C', model, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]);
        await git('init', '--quiet');
        bench.write('model.yaml', `${fleet(50)}  former: { profiles: [web], ipv4: [192.0.2.1] }\n`);
        await git('add', '.');
        await git('commit', '--quiet', '-m', 'few');
        bench.write('model.yaml', fleet(200));
        await git('commit', '--quiet', '-a', '-m', 'many');
      },
    ));

  it.skipIf(etcd === null)('holds a prefix of etcd that is emptied, until it is filled again', () =>
    withNetworkNamespace(async (namespace) => {
      const server = new EtcdServer(etcd ?? '', { inside: namespace.prefix });
      await server.start();
      const bench = agentBench(namespace, { ...INET, sources: [{ etcd: { endpoints: [server.endpoint] } }] });
      try {
        const keys = Object.fromEntries(
          Array.from({ length: 30 }, (_, i) => [`endpoints/e${i}`, { profiles: ['web'], ipv4: [address(i + 1)] }]),
        );
        const all = { 'profiles/web': { tags: ['web'] }, ...keys };
        await putAll(namespace, server.endpoint, all);
        await bench.start();
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(30);
        await ask(namespace, server.endpoint, 'kv/deleterange', {
          key: base64(PREFIX),
          range_end: base64('/setkeeper/v10'),
        });
        const [change] = await bench.until<Answer<'held.list'>>('held.list', undefined, (list) => list.length > 0);
        expect(change?.why.join()).toContain('the source etcd lost all of its 31 objects');
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(30);
        await putAll(namespace, server.endpoint, all);
        await bench.until<Answer<'held.list'>>('held.list', undefined, (list) => list.length === 0);
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toHaveLength(30);
      } finally {
        await bench.remove();
        await server.remove();
      }
    }),
  );
});

const PREFIX = '/setkeeper/v1/';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Asks etcd's HTTP gateway from inside the namespace. */
async function ask(namespace: TestNamespace, endpoint: string, path: string, body: unknown): Promise<void> {
  const url = JSON.stringify(`${endpoint}/v3/${path}`);
  const sent = JSON.stringify(JSON.stringify(body));
  const program = `const answer = await fetch(${url}, { method: 'POST', body: ${sent} }); process.exit(answer.ok ? 0 : 1)`;
  const end = await namespace.exec(process.execPath, ['--input-type=module', '-e', program]);
  if (end.exitCode !== 0) throw new Error(`etcd refused ${path}: ${end.stderr}`);
}

const putAll = (
  namespace: TestNamespace,
  endpoint: string,
  objects: Readonly<Record<string, unknown>>,
): Promise<void> =>
  ask(namespace, endpoint, 'kv/txn', {
    success: Object.entries(objects).map(([key, object]) => ({
      requestPut: { key: base64(PREFIX + key), value: base64(JSON.stringify(object)) },
    })),
  });
