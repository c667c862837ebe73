import { join } from 'node:path';
import { type TestNamespace, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type AgentBench, agentBench } from '../../daemon/testing/agent-process.ts';
import { caughtUp, heldContent, objectsOfText, wantedContent } from '../testing/kernel-content.ts';
import { EtcdCluster } from './testing/etcd-cluster.ts';
import { etcdProgram } from './testing/etcd-server.ts';

const program = etcdProgram();
const why = (await whyNoNamespace()) ?? (program === null ? 'needs etcd (Debian package etcd-server)' : null);
if (why !== null) console.warn(`skipped: ${why}`);

interface SourceRow {
  readonly state: string;
  readonly detail?: string;
}
interface Page {
  readonly total: number;
}

const source = (fits: (row: SourceRow) => boolean) => (rows: readonly SourceRow[]) =>
  rows[0] !== undefined && fits(rows[0]);

/** Three members in a namespace, and an agent that knows all of them. */
async function withCluster(
  use: (parts: { cluster: EtcdCluster; bench: AgentBench; namespace: TestNamespace }) => Promise<void>,
): Promise<void> {
  await withNetworkNamespace(async (namespace) => {
    const cluster = new EtcdCluster(program ?? '', namespace);
    const bench = agentBench(namespace, {
      guard: 'off',
      sets: { program: 'all' },
      sources: [{ etcd: { endpoints: cluster.endpoints } }],
    });
    try {
      await cluster.start();
      await bench.start();
      await use({ cluster, bench, namespace });
    } finally {
      await bench.remove();
      await cluster.remove();
    }
  });
}

/** Makes changes through members, whichever answer, and gives what etcd holds in the end. */
async function write(
  namespace: TestNamespace,
  endpoints: readonly string[],
  changes: number,
  end = 'the-end',
): Promise<string> {
  const writer = join(import.meta.dirname, 'testing/write-changes.ts');
  const { exitCode, stdout, stderr } = await namespace.exec(process.execPath, [
    writer,
    endpoints.join(','),
    String(changes),
    end,
  ]);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

describe.skipIf(why !== null)('an etcd cluster of three members', { timeout: 120_000 }, () => {
  it('loses and invents nothing when its leader is killed under writes, again and again', () =>
    withCluster(async ({ cluster, bench, namespace }) => {
      const writing = write(namespace, cluster.endpoints, 5_000);
      for (let kill = 0; kill < 3; kill++) {
        const before = await bench.until<Page>('model.endpoints', {}, ({ total }) => total > 0);
        await bench.until<Page>('model.endpoints', {}, ({ total }) => total !== before.total);
        const leader = await cluster.leader();
        await leader.kill('SIGKILL');
        await leader.start();
      }
      const inEtcd = objectsOfText(await writing);
      await caughtUp(bench, 'the-end');
      expect(inEtcd.length).toBeGreaterThan(1_000);
      expect(await heldContent(namespace)).toEqual(wantedContent(inEtcd));
    }));

  it('is followed at another member when the one that was asked is cut off from the rest', () =>
    withCluster(async ({ cluster, bench, namespace }) => {
      const [asked, ...rest] = cluster.members;
      if (asked === undefined) throw new Error('a cluster without members');
      await write(namespace, cluster.endpoints, 500);
      await caughtUp(bench, 'the-end');
      await bench.until(
        'sources.list',
        undefined,
        source(({ detail = '' }) => detail.includes(asked.endpoint)),
      );
      await cluster.cutOff(asked);
      const others = rest.map(({ endpoint }) => endpoint);
      const afterwards = objectsOfText(await write(namespace, others, 1_000, 'others'));
      // The member that is cut off still answers on its port, and says nothing: only asking the cluster shows it.
      await bench.until(
        'sources.list',
        undefined,
        source(({ state, detail = '' }) => state === 'current' && others.some((other) => detail.includes(other))),
      );
      await caughtUp(bench, 'others');
      expect(await heldContent(namespace)).toEqual(wantedContent(afterwards));
      await cluster.join(asked);
      const inTheEnd = objectsOfText(await write(namespace, cluster.endpoints, 1_500, 'last'));
      await caughtUp(bench, 'last');
      expect(await heldContent(namespace)).toEqual(wantedContent(inTheEnd));
    }));

  it('takes nothing away when most of its members are gone, and goes on when they are back', () =>
    withCluster(async ({ cluster, bench, namespace }) => {
      const written = objectsOfText(await write(namespace, cluster.endpoints, 500));
      await caughtUp(bench, 'the-end');
      const before = await heldContent(namespace);
      expect(before).toEqual(wantedContent(written));
      const [, second, third] = cluster.members;
      await Promise.all([second?.kill('SIGKILL'), third?.kill('SIGKILL')]);
      await bench.until(
        'sources.list',
        undefined,
        source(({ state }) => state === 'stale'),
      );
      expect(await heldContent(namespace)).toEqual(before);
      await Promise.all([second?.start(), third?.start()]);
      await bench.until(
        'sources.list',
        undefined,
        source(({ state }) => state === 'current'),
      );
      const inTheEnd = objectsOfText(await write(namespace, cluster.endpoints, 1_000, 'last'));
      await caughtUp(bench, 'last');
      expect(await heldContent(namespace)).toEqual(wantedContent(inTheEnd));
    }));
});
