import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupId, Member } from '@setkeeper/ipset';
import { seededRandom, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type AgentBench, agentBench } from '../daemon/testing/agent-process.ts';
import { exportYaml } from '../model/export-yaml.ts';
import { type ModelObject, type NamedPort, type ObjectKey, objectKey } from '../model/objects.ts';
import { EtcdServer, etcdProgram } from './etcd/testing/etcd-server.ts';
import { caughtUp, heldContent, objectsOfText, wantedContent } from './testing/kernel-content.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);
const etcd = etcdProgram();
if (etcd === null) console.warn('skipped: a model in etcd, which is not there (Debian package etcd-server)');

describe.skipIf(why !== null)('a model, an agent and the kernel', { timeout: 120_000 }, () => {
  it.each([1, 2])('end with the same content after a random history of files (seed %d)', (seed) =>
    withNetworkNamespace(async (namespace) => {
      const bench = agentBench(namespace, { guard: 'off', sets: { program: 'all' } });
      try {
        const history = new RandomModel(seed);
        history.writeTo(bench);
        await bench.start();
        for (let generation = 0; generation < 40; generation++) {
          for (let event = 0; event < 12; event++) history.event();
          history.writeTo(bench);
          // Some generations are taken one by one, some run into each other, as they come.
          if (generation % 8 === 0) await bench.settled();
        }
        history.put({ kind: 'host', id: 'the-end', ipv4: '192.0.2.250' as Member, ipv6: null });
        history.writeTo(bench);
        await caughtUp(bench, 'the-end');
        expect(await heldContent(namespace)).toEqual(wantedContent(history.objects()));
      } finally {
        await bench.remove();
      }
    }),
  );

  it.skipIf(etcd === null)('end with the same content when etcd is killed during its changes', () =>
    withNetworkNamespace(async (namespace) => {
      const server = new EtcdServer(etcd ?? '', { inside: namespace.prefix });
      await server.start();
      const bench = agentBench(namespace, {
        guard: 'off',
        sets: { program: 'all' },
        sources: [{ etcd: { endpoints: [server.endpoint] } }],
      });
      try {
        await bench.start();
        const writer = join(import.meta.dirname, 'etcd/testing/write-changes.ts');
        const writing = namespace.exec(process.execPath, [writer, server.endpoint, '5000']);
        for (let kill = 0; kill < 2; kill++) {
          const before = await bench.until<{ total: number }>('model.endpoints', {}, ({ total }) => total > 0);
          await bench.until<{ total: number }>('model.endpoints', {}, ({ total }) => total !== before.total);
          await server.kill('SIGKILL');
          await server.start();
        }
        const { stdout } = await writing;
        await caughtUp(bench, 'the-end');
        const inEtcd = objectsOfText(stdout);
        expect(inEtcd.length).toBeGreaterThan(1_000);
        expect(await heldContent(namespace)).toEqual(wantedContent(inEtcd));
      } finally {
        await bench.remove();
        await server.remove();
      }
    }),
  );
});

const LASTING = /^(profile|host)\/always$|^network\/n[01]$/;

/** A model that changes at random, in files that objects move between. */
class RandomModel {
  readonly #random: () => number;
  readonly #objects = new Map<ObjectKey, { readonly object: ModelObject; readonly file: number }>();
  readonly #written = new Map<number, string>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    // What lists hold stays defined: a set that a list uses is not emptied because its group is gone (that is held).
    this.put({ kind: 'profile', id: 'always', tags: ['a', 'b'] });
    for (const id of ['n0', 'n1']) {
      const nets = { inet: ['10.0.0.0/8'] as Member[], inet6: [] };
      this.put({ kind: 'network', id, nets, except: { inet: [], inet6: [] }, files: [] });
    }
    this.put({ kind: 'host', id: 'always', ipv4: null, ipv6: '2001:db8::99' as Member });
    for (let i = 0; i < 30; i++) this.event();
  }

  objects(): readonly ModelObject[] {
    return [...this.#objects.values()].map(({ object }) => object);
  }

  put(object: ModelObject): void {
    this.#objects.set(objectKey(object.kind, object.id), { object, file: this.#below(5) });
  }

  /** One object appears, changes, moves to another file, or goes. */
  event(): void {
    const keys = [...this.#objects.keys()];
    const [some] = this.#pick(keys, 1);
    if (some !== undefined && this.#random() < 0.25 && !LASTING.test(some)) this.#objects.delete(some);
    else this.put(this.#object());
  }

  writeTo(bench: AgentBench): void {
    for (let file = 0; file < 5; file++) {
      const inFile = [...this.#objects.values()].filter((each) => each.file === file).map(({ object }) => object);
      const text = [...exportYaml(inFile)].join('');
      if (this.#written.get(file) === text) continue;
      this.#written.set(file, text);
      const path = join(bench.folder, 'model', `f${file}.yaml`);
      if (text === '') rmSync(path, { force: true });
      else writeFileSync(path, text);
    }
  }

  #object(): ModelObject {
    const id = String(this.#below(8));
    switch (this.#below(6)) {
      case 0:
      case 1:
        return { kind: 'profile', id: `p${this.#below(5)}`, tags: this.#pick(['a', 'b', 'c', 'long tag/with é'], 2) };
      case 2:
        return {
          kind: 'network',
          id: `n${this.#below(3)}`,
          nets: {
            inet: this.#pick(['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '192.0.2.1'], 3) as Member[],
            inet6: this.#pick(['::/0', '2001:db8::/32'], 1) as Member[],
          },
          except: { inet: this.#pick(['10.2.0.0/16 nomatch', '10.3.0.0/16 nomatch'], 2) as Member[], inet6: [] },
          files: [],
        };
      case 3: {
        const members = this.#pick(['tag:a', 'tag:b', 'net:n0', 'net:n1', 'hosts:all'], 3) as GroupId[];
        return { kind: 'list', id: `l${this.#below(2)}`, members };
      }
      default: {
        const ports = this.#pick(['http', 'dns'], 2).map((name): [string, NamedPort] => [
          name,
          name === 'http' ? { protocol: 'tcp', port: 80 + this.#below(2) } : { protocol: 'udp', port: 53 },
        ]);
        return {
          kind: 'endpoint',
          id: `e${id}`,
          profiles: this.#pick(['p0', 'p1', 'p2', 'p3', 'p4'], 2),
          ipv4: this.#pick(['10.65.0.1', '10.65.0.2', '10.65.0.3', '10.65.0.4'], 2) as Member[],
          ipv6: this.#pick(['2001:db8::1', '2001:db8::2'], 1) as Member[],
          ports: new Map(ports),
          active: this.#random() < 0.85,
        };
      }
    }
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T extends string>(from: readonly T[], countMax: number): T[] {
    return [...from]
      .map((each) => ({ each, at: this.#random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, this.#below(countMax + 1))
      .map(({ each }) => each)
      .sort();
  }
}
