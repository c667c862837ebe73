import type { DoctorCheck, Explanation, KernelSet, Leftover, ReferenceRow, Status } from '@setkeeper/api';
import { verbs } from '@setkeeper/api';
import { hiddenHolderProgram, makeNetworkNamespace, type TestNamespace, whyNoNamespace } from '@setkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentBench, agentBench, Refusal } from '../daemon/testing/agent-process.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

describe.skipIf(why !== null)('observe mode beside a busy host', () => {
  let namespace: TestNamespace & { remove(): Promise<void> };
  let bench: AgentBench;
  let before: string;

  const sh = async (script: string): Promise<void> => {
    const end = await namespace.exec('bash', ['-ec', script]);
    if (end.exitCode !== 0) throw new Error(end.stderr);
  };

  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    await sh(`
      ipset create f2b-sshd hash:ip timeout 0 comment; ipset add f2b-sshd 203.0.113.9 comment 'a -exist b'
      ipset create cali40s:abc hash:net; ipset add cali40s:abc 10.0.0.0/8; ipset create KUBE-LOOP-BACK hash:ip,port,ip
      ipset create sk-v4-t.web hash:ip; ipset add sk-v4-t.web 10.65.0.1; ipset create sk-tmp-dead hash:ip
      ipset create 'a<b>&"c' hash:ip; ipset create leaky hash:ip; ipset create all list:set; ipset add all f2b-sshd
      iptables-nft -A INPUT -m set --match-set f2b-sshd src -j DROP
      iptables-legacy -A INPUT -m set --match-set cali40s:abc src -j ACCEPT
      python3 ${hiddenHolderProgram} leaky`);
    before = await namespace.ipset(['save']);
    bench = agentBench(namespace, {
      mode: 'observe',
      sources: undefined,
      leaks: { afterSeconds: 0 },
      resync: { headersSeconds: 0.2, membersSeconds: 1 },
    });
    await bench.start();
  });
  afterAll(async () => {
    await bench?.remove();
    await namespace?.remove();
  });

  it('shows every set with its owner by name, and manages none', async () => {
    const rows = await bench.query<KernelSet[]>('kernel.list', {});
    expect(Object.fromEntries(rows.map(({ name, owner, byName }) => [name, byName ?? owner]))).toEqual({
      'f2b-sshd': 'fail2ban',
      'cali40s:abc': 'Calico',
      'KUBE-LOOP-BACK': 'kube-proxy',
      'sk-v4-t.web': 'leftover',
      'sk-tmp-dead': 'temporary',
      'a<b>&"c': 'foreign',
      leaky: 'foreign',
      all: 'foreign',
    });
    expect(rows.find(({ name }) => name === 'f2b-sshd')).toMatchObject({ entries: 1, references: 2, readable: true });
  });

  it('names holders, unexplained references and addresses', async () => {
    const rows = await bench.query<ReferenceRow[]>('references.list', {});
    const summary = rows.map(({ name, kernel, holders, unexplained }) => [
      name,
      kernel,
      holders.map(({ kind }) => kind),
      unexplained,
    ]);
    expect(summary).toContainEqual(['f2b-sshd', 2, ['iptables-nft', 'list-set'], 0]);
    expect(summary).toContainEqual(['cali40s:abc', 1, ['iptables-legacy'], 0]);
    expect(summary).toContainEqual(['leaky', 1, [], 1]);
    expect(await bench.query('leaks.list')).toMatchObject([
      { kind: 'kernel', name: 'leaky', possibleHolders: [{ table: 'hidden' }] },
    ]);
    const answer = await bench.query<Explanation>('explain.address', { address: '10.65.0.1' });
    expect(answer.sets.map(({ name, matched }) => [name, matched])).toEqual([
      ['cali40s:abc', true],
      ['sk-v4-t.web', true],
    ]);
  });

  it('judges no set to be left over: it may be another agent`s', async () => {
    const { items } = await bench.query<{ items: Leftover[] }>('leftovers.list', {});
    expect(items.map(({ name, eligible }) => [name, eligible])).toEqual([
      ['sk-v4-t.web', false],
      ['sk-tmp-dead', false],
    ]);
    const status = await bench.query<Status>('status.get');
    expect(status).toMatchObject({ mode: 'observe', leaks: 1 });
    expect(status.problems.map(({ code }) => code)).not.toContain('leftovers');
    const checks = await bench.query<DoctorCheck[]>('doctor.run');
    expect(checks.length).toBeGreaterThan(3);
  });

  it('refuses every act with one code', async () => {
    const refused: string[] = [];
    for (const verb of Object.values(verbs)) {
      if (verb.kind !== 'mutation' || verb.name === 'leftovers.cleanup') continue;
      const input = INPUTS[verb.name];
      expect([verb.name, verb.input.safeParse(input).success]).toEqual([verb.name, true]);
      const error = await bench.mutate(verb.name, input).catch((caught: unknown) => caught);
      refused.push(`${verb.name} ${error instanceof Refusal ? error.body.code : JSON.stringify(error)}`);
    }
    expect(refused).toEqual(refused.map((line) => `${line.split(' ')[0]} observe-mode`));
    expect(await bench.mutate('leftovers.cleanup', { dryRun: true })).toMatchObject({ eligible: 0, removed: [] });
    const cleanup = await bench
      .mutate('leftovers.cleanup', { names: ['sk-v4-t.web'] })
      .catch((caught: unknown) => caught);
    expect(cleanup).toMatchObject({ body: { code: 'observe-mode' } });
  });

  it('leaves the kernel byte for byte as it was', async () => {
    // Long enough for header and member reading to have come round.
    const read = await bench.query<Status>('status.get');
    await bench.until<Status>('status.get', undefined, ({ readAt }) => readAt !== null && readAt !== read.readAt);
    expect(await namespace.ipset(['save'])).toBe(before);
  });
});

const INPUTS: Readonly<Record<string, unknown>> = {
  'sets.reprogram': { all: true },
  'plan.apply': {},
  'runs.retry': { id: 'x' },
  'sources.accept': { name: 'x', reason: 'r' },
  'held.release': { id: 'x' },
  'held.reject': { id: 'x' },
  'holds.add': { all: true, forSeconds: 1, reason: 'r' },
  'holds.remove': {},
  'overrides.add': { kind: 'add', group: 'tag:x', address: '10.0.0.1', forSeconds: 1, reason: 'r' },
  'overrides.remove': { id: 'x' },
  'pins.add': { group: 'tag:x', reason: 'r' },
  'pins.remove': { group: 'tag:x' },
  'model.put': { documents: 'profiles: {}' },
  'model.delete': { kind: 'profile', id: 'x' },
};
