import type { CleanupResult, KernelSet, Leak, Leftover, ReferenceRow, Status } from '@setkeeper/api';
import { hiddenHolderProgram, makeNetworkNamespace, type TestNamespace, whyNoNamespace } from '@setkeeper/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AgentBench, agentBench, Refusal } from '../daemon/testing/agent-process.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

interface Leftovers {
  readonly items: readonly Leftover[];
  readonly digest: string;
}
const WEB = 'profiles:\n  web: { tags: [web] }\nendpoints:\n  a: { profiles: [web], ipv4: [10.65.0.1] }\n';

describe.skipIf(why !== null)('leftovers on the real kernel', () => {
  let namespace: TestNamespace & { remove(): Promise<void> };
  let bench: AgentBench;

  const begin = async (config: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    bench = agentBench(namespace, {
      sets: { formerPrefixes: ['felix-', 'azure-npm-'], families: ['inet'] },
      leaks: { afterSeconds: 0 },
      ...config,
    });
    bench.write('web.yaml', WEB);
    await bench.start();
    await bench.settled();
  };
  const sh = async (script: string): Promise<string> => {
    const end = await namespace.exec('bash', ['-ec', script]);
    if (end.exitCode !== 0) throw new Error(`${script}\n${end.stderr}`);
    return end.stdout;
  };
  const names = async (): Promise<readonly string[]> =>
    (await namespace.ipset(['list', '-n'])).split('\n').filter((name) => name !== '' && !name.startsWith('sk-ack-'));

  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    await begin();
  });
  afterEach(async () => {
    await sh('iptables-nft -F; nft flush ruleset');
    for (const name of (await names()).toReversed()) {
      if (name !== 'sk-v4-t.web') await namespace.exec('ipset', ['destroy', name]);
    }
  });
  afterAll(async () => {
    await bench?.remove();
    await namespace?.remove();
  });

  const list = (): Promise<Leftovers> => bench.query('leftovers.list', {});
  const cleanup = (input: object): Promise<CleanupResult> => bench.mutate('leftovers.cleanup', input);

  it('cleans up what both former controllers left, and nothing that only looks like it', async () => {
    await sh(`ipset create felix-v4-tagid hash:ip; ipset add felix-v4-tagid 192.0.2.1
       ipset create azure-npm-123456 hash:net; ipset create azure-npm-lst list:set; ipset add azure-npm-lst azure-npm-123456
       ipset create sk-v4-t.old hash:ip; ipset add sk-v4-t.old 192.0.2.2
       ipset create my-azure-npm-1 hash:ip; ipset create sk-something hash:ip; ipset create felix- hash:ip`);
    const { items, digest } = await list();
    expect(items.map(({ name, eligible, form }) => [name, eligible, form])).toEqual([
      ['felix-v4-tagid', true, 'former-prefix'],
      ['azure-npm-123456', true, 'former-prefix'],
      ['sk-v4-t.old', true, 'own'],
      ['azure-npm-lst', true, 'former-prefix'],
    ]);
    expect(await bench.query<Status>('status.get')).toMatchObject({ leftovers: 4 });
    const dry = await cleanup({ dryRun: true });
    expect(dry).toMatchObject({ digest, eligible: 4, removed: [] });
    expect(dry.script).toBe(
      'destroy azure-npm-lst\ndestroy felix-v4-tagid\ndestroy azure-npm-123456\ndestroy sk-v4-t.old\n',
    );
    const done = await cleanup({ confirm: 4, reason: 'moved to Setkeeper' });
    expect(done).toMatchObject({ digest, kept: [], phase: 'succeeded' });
    expect(done.removed.toSorted()).toEqual(['azure-npm-123456', 'azure-npm-lst', 'felix-v4-tagid', 'sk-v4-t.old']);
    expect((await names()).toSorted()).toEqual(['felix-', 'my-azure-npm-1', 'sk-something', 'sk-v4-t.web']);
    expect(await bench.query<KernelSet[]>('kernel.list', {})).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'sk-something', owner: 'foreign', prefixShared: true }),
        expect.objectContaining({ name: 'sk-v4-t.web', owner: 'managed', group: 'tag:web' }),
      ]),
    );
  });

  it('needs a confirmation, refuses a stale one, and touches only what was named', async () => {
    await sh('ipset create sk-v4-t.a hash:ip; ipset create sk-v4-t.b hash:ip');
    const { digest } = await list();
    const refusal = async (input: object): Promise<string> => {
      const error = await cleanup(input).catch((caught: unknown) => caught);
      return error instanceof Refusal ? error.body.code : `not refused: ${JSON.stringify(error)}`;
    };
    expect(await refusal({})).toBe('confirmation-missing');
    expect(await refusal({ confirm: 1 })).toBe('confirmation-missing');
    await sh('ipset create sk-v4-t.c hash:ip');
    expect(await refusal({ digest })).toBe('digest-stale');
    expect(await refusal({ confirm: 2 })).toBe('confirmation-missing');
    const done = await cleanup({ names: ['sk-v4-t.b', 'sk-v4-t.web', 'no-such'] });
    expect(done.removed).toEqual(['sk-v4-t.b']);
    expect(done.kept.map(({ name, reason }) => [name, reason])).toEqual([
      ['sk-v4-t.web', 'it is wanted: it belongs to tag:web'],
      ['no-such', 'there is no such set'],
    ]);
    expect((await names()).toSorted()).toEqual(['sk-v4-t.a', 'sk-v4-t.c', 'sk-v4-t.web']);
  });

  it('keeps a used one whole, names its holder, and lets the others go', async () => {
    await sh(`ipset create sk-v4-t.used hash:ip; ipset add sk-v4-t.used 192.0.2.1; ipset create sk-v4-t.free hash:ip
       iptables-nft -A INPUT -m set --match-set sk-v4-t.used src -j DROP`);
    const done = await cleanup({ confirm: 1 });
    expect(done).toMatchObject({
      removed: ['sk-v4-t.free'],
      kept: [{ name: 'sk-v4-t.used', holders: [{ kind: 'iptables-nft', where: 'filter INPUT 1' }] }],
    });
    expect(await namespace.ipset(['save', 'sk-v4-t.used'])).toContain('add sk-v4-t.used 192.0.2.1');
    await sh(done.kept[0]?.holders[0]?.removeWith ?? 'exit 1');
    expect((await cleanup({ confirm: 1 })).removed).toEqual(['sk-v4-t.used']);
  });

  it('shows a hidden holder as one unexplained reference, keeps the set whole, and cleans up when it is gone', async () => {
    await sh(
      `ipset create sk-v4-t.leak hash:ip; ipset add sk-v4-t.leak 192.0.2.1; python3 ${hiddenHolderProgram} sk-v4-t.leak`,
    );
    const [leftover] = (await list()).items;
    expect(leftover).toMatchObject({ eligible: false, reason: '1 kernel reference that nothing found explains' });
    expect(await cleanup({ names: ['sk-v4-t.leak'] })).toMatchObject({ removed: [], eligible: 0 });
    expect(await namespace.ipset(['save', 'sk-v4-t.leak'])).toContain('add sk-v4-t.leak 192.0.2.1');
    const leaks = await bench.query<Leak[]>('leaks.list');
    expect(leaks).toMatchObject([
      {
        kind: 'kernel',
        name: 'sk-v4-t.leak',
        count: 1,
        possibleHolders: [{ kind: 'nft-compat', table: 'hidden' }],
      },
    ]);
    const rows = await bench.query<ReferenceRow[]>('references.list', { filter: 'leak' });
    expect(rows).toMatchObject([{ kernel: 1, unexplained: 1, holders: [], unreadable: [] }]);
    expect(await bench.query<Status>('status.get')).toMatchObject({
      leaks: 1,
      problems: expect.arrayContaining([expect.objectContaining({ code: 'leak', subject: 'sk-v4-t.leak' })]),
    });
    await sh('nft delete table ip hidden');
    expect(await bench.query('leaks.list')).toEqual([]);
    expect((await cleanup({ confirm: 1 })).removed).toEqual(['sk-v4-t.leak']);
  });

  it('says which process reads a set that cannot be destroyed, and tries again by itself', async () => {
    await sh(`ipset create sk-v4-t.read hash:ip
       seq 20000 | awk '{ print "add sk-v4-t.read 10." int($1 / 65536) "." int($1 / 256) % 256 "." $1 % 256 }' | ipset restore`);
    await sh(
      `mkfifo ${bench.folder}/fifo; sleep 600 > /dev/null 2>&1 < ${bench.folder}/fifo & echo $! > ${bench.folder}/pid`,
    );
    const dump = namespace.exec('bash', ['-c', `exec ipset save sk-v4-t.read > ${bench.folder}/fifo`]);
    try {
      await sh('until grep -Eq "^[0-9a-f]+ 12( +[0-9a-f]+){4} +1 " /proc/net/netlink; do sleep 0.02; done');
      const done = await cleanup({ confirm: 1 });
      expect(done).toMatchObject({ removed: [], phase: 'failed', kept: [{ name: 'sk-v4-t.read' }] });
      expect(done.kept[0]?.reason).toMatch(/being read by pid [0-9]+ ipset/u);
    } finally {
      await sh(`kill $(cat ${bench.folder}/pid)`);
      await dump;
    }
    await bench.until<Leftovers>('leftovers.list', {}, ({ items }) => items.length === 0);
    expect(await names()).not.toContain('sk-v4-t.read');
  });

  it('destroys ten thousand leftovers in one go', async () => {
    await sh(`for part in $(seq 0 39); do
         seq $((part * 250)) $((part * 250 + 249)) | awk '{ print "create sk-v4-t.x" $1 " hash:ip hashsize 64" }' | ipset restore
       done`);
    const done = await cleanup({ confirm: 10_000 });
    expect(done).toMatchObject({ phase: 'succeeded', kept: [] });
    expect(done.removed).toHaveLength(10_000);
    expect(await names()).toEqual(['sk-v4-t.web']);
  });

  it('cleans up its own form by itself where that is configured, and never a former prefix or an ignored one', async () => {
    await bench.remove();
    await begin({ cleanup: { mode: 'auto', delaySeconds: 0, ignore: ['*.keep'] } });
    await sh(`ipset create sk-v4-t.old hash:ip; ipset create sk-v4-t.keep hash:ip; ipset create felix-old hash:ip`);
    await bench.until<Leftovers>(
      'leftovers.list',
      {},
      ({ items }) => !items.some(({ name }) => name === 'sk-v4-t.old'),
    );
    expect((await names()).toSorted()).toEqual(['felix-old', 'sk-v4-t.keep', 'sk-v4-t.web']);
  });
});
