import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type VerbName, verbs } from '@setkeeper/api';
import { type TestNamespace, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type AgentBench, type AgentProcess, agentBench, Refusal } from './testing/agent-process.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);
const EXAMPLE = join(import.meta.dirname, '../../../../examples/model');

type Status = z.output<(typeof verbs)['status.get']['output']>;
type SetRows = z.output<(typeof verbs)['sets.list']['output']>;
type Runs = z.output<(typeof verbs)['runs.list']['output']>;

const WEB = `
profiles:
  web: { tags: [web] }
endpoints:
  a: { profiles: [web], ipv4: [10.65.0.1], ipv6: ["2001:db8::1"] }
  b: { profiles: [web], ipv4: [10.65.0.2] }
`;

describe.skipIf(why !== null)('the agent', () => {
  /** A namespace, a model directory and an agent of a test's own. */
  const withAgent = (
    work: (parts: { bench: AgentBench; agent: AgentProcess; namespace: TestNamespace }) => Promise<void>,
    config: Readonly<Record<string, unknown>> = {},
    prepare: (bench: AgentBench, namespace: TestNamespace) => unknown = (bench) => bench.write('web.yaml', WEB),
  ): Promise<void> =>
    withNetworkNamespace(async (namespace) => {
      const bench = agentBench(namespace, config);
      try {
        await prepare(bench, namespace);
        await work({ bench, agent: await bench.start(), namespace });
      } finally {
        await bench.remove();
      }
    });
  const saved = async (namespace: TestNamespace, set: string): Promise<readonly string[]> =>
    (await namespace.ipset(['save', set]))
      .split('\n')
      .filter((line) => line.startsWith('add '))
      .map((line) => line.split(' ')[2] ?? '')
      .toSorted();

  it('programs every group of the example model, and answers every verb in its promised shape', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.settled();
        const status = await bench.query<Status>('status.get');
        expect(status).toMatchObject({ ok: true, sourcesCurrent: true, host: 'node-a' });
        expect(status.sets.live).toBe(status.sets.total);
        const rows = await bench.query<SetRows>('sets.list', { limit: 1_000 });
        expect(rows.items.filter(({ phase, sync }) => phase !== 'live' || sync !== 'in-sync')).toEqual([]);
        const names = (await namespace.ipset(['list', '-n'])).trim().split('\n');
        expect(names.filter((name) => !/^sk-(?:ack|tmp)-/u.test(name)).toSorted()).toEqual(
          rows.items.map(({ name }) => name).toSorted(),
        );
        await walk(bench);
      },
      {},
      (bench) => cpSync(EXAMPLE, join(bench.folder, 'model'), { recursive: true }),
    ));

  it('follows the model, and ends on SIGTERM without touching what the kernel has', () =>
    withAgent(async ({ bench, agent, namespace }) => {
      await bench.settled();
      bench.write('web.yaml', WEB.replace('10.65.0.2', '10.65.0.3'));
      await bench.until<Runs>('runs.list', {}, ({ items }) => items[0]?.cause === 'model');
      await bench.settled();
      expect(await saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.3']);
      expect(await agent.end('SIGTERM')).toBe(0);
      expect(await saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.3']);
      expect((await namespace.ipset(['list', '-n'])).trim().split('\n').toSorted()).toEqual([
        'sk-v4-t.web',
        'sk-v6-t.web',
      ]);
      expect(existsSync(bench.adminSocket)).toBe(false);
    }));

  it('refuses to be the second one in a namespace, with a sentence and status 1', () =>
    withAgent(async ({ namespace }) => {
      const other = agentBench(namespace);
      const { exitCode, stderr } = await other.runToEnd();
      expect(exitCode).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/Another Setkeeper agent/u);
      await other.remove();
    }));

  it('takes up where a killed one was: last good content, history, audit, and the same sets untouched', () =>
    withAgent(async ({ bench, agent, namespace }) => {
      await bench.settled();
      await bench.mutate('sets.reprogram', { groups: ['tag:web'], reprogram: true, wait: true });
      bench.write('web.yaml', 'profiles: [this is no model');
      await bench.until<Status>('status.get', undefined, ({ problems }) =>
        problems.some(({ code }) => code === 'source-fault'),
      );
      expect(await agent.end('SIGKILL')).toBe('SIGKILL');
      const again = await bench.start();
      await bench.settled();
      expect(await saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.2']);
      const status = await bench.query<Status>('status.get');
      expect(status.problems.map(({ code }) => code)).toContain('source-fault');
      const runs = await bench.query<Runs>('runs.list', {});
      expect(runs.items.map(({ cause }) => cause)).toContain('reprogram');
      const ofSet = await bench.query<Runs>('runs.list', { set: 'sk-v4-t.web' });
      expect(ofSet.items.map(({ cause }) => cause)).toEqual(['reprogram', 'start']);
      expect(await bench.query('audit.verify')).toMatchObject({ ok: true });
      await again.end('SIGTERM');
    }));

  it('goes on when its launcher is killed', () =>
    withAgent(async ({ bench, agent, namespace }) => {
      await bench.settled();
      const { stdout } = await namespace.exec('pgrep', ['-P', String(agent.pid)]);
      process.kill(Number(stdout.trim().split('\n')[0]), 'SIGKILL');
      bench.write('web.yaml', WEB.replace('10.65.0.2', '10.65.0.4'));
      await bench.until<SetRows>('sets.list', { filter: 'member:10.65.0.4' }, ({ items }) => items.length > 0);
      await bench.settled();
      expect(await saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.4']);
      await bench.until<Status>('status.get', undefined, ({ ok }) => ok);
    }));

  it('removes nothing after its store was damaged, until an operator says that the source is complete', () =>
    withAgent(async ({ bench, agent, namespace }) => {
      await bench.settled();
      await agent.end('SIGTERM');
      writeFileSync(join(bench.folder, 'agent.db'), 'no database '.repeat(5_000));
      bench.write('web.yaml', WEB.replace('10.65.0.2', '10.65.0.7'));
      await bench.start();
      const status = await bench.until<Status>('status.get', undefined, ({ held }) => held > 0);
      expect(status.problems.map(({ code }) => code)).toEqual(
        expect.arrayContaining(['store-set-aside', 'change-held']),
      );
      expect(status.sentence).toMatch(/held/iu);
      await expect.poll(() => saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.2', '10.65.0.7']);
      await bench.mutate('sources.accept', { name: 'model', reason: 'the directory is as it should be' });
      await bench.settled();
      expect(await saved(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1', '10.65.0.7']);
      const after = await bench.query<Status>('status.get');
      expect(after.problems.map(({ code }) => code)).not.toContain('store-set-aside');
      expect(after.held).toBe(0);
    }));

  it('observes without a model and without a write', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        const status = await bench.until<Status>('status.get', undefined, ({ readAt }) => readAt !== null);
        expect(status).toMatchObject({ mode: 'observe', ok: true });
        expect(status.sentence).toContain('observing 1 set');
        await expect(bench.mutate('plan.apply', {})).rejects.toMatchObject({ body: { code: 'observe-mode' } });
        await agent.end('SIGTERM');
        expect((await namespace.ipset(['list', '-n'])).trim()).toBe('other');
      },
      { mode: 'observe' },
      (_bench, namespace) => namespace.ipset(['create', 'other', 'hash:ip']),
    ));
});

/** A good input for each verb on the example model. */
const INPUTS: Partial<Record<VerbName, unknown>> = {
  'status.charts': { minutes: 60 },
  'sets.list': {},
  'sets.get': { group: 'tag:web' },
  'sets.members': { group: 'tag:web' },
  'sets.drift': {},
  'sets.reprogram': { groups: ['tag:web'], reprogram: true, wait: true, reason: 'test' },
  'plan.get': {},
  'plan.apply': { wait: true },
  'runs.list': {},
  'sources.accept': { name: 'model', reason: 'test' },
  'holds.add': { groups: ['tag:web'], forSeconds: 60, reason: 'test' },
  'holds.remove': {},
  'overrides.add': { kind: 'add', group: 'tag:web', address: '10.99.0.1', forSeconds: 60, reason: 'test' },
  'pins.add': { group: 'tag:web', reason: 'test' },
  'pins.remove': { group: 'tag:web' },
  'leftovers.list': {},
  'leftovers.cleanup': { dryRun: true },
  'references.list': {},
  'kernel.list': {},
  'explain.address': { address: '10.65.0.1' },
  'model.groups': {},
  'model.endpoints': {},
  'model.profiles': {},
  'model.networks': {},
  'model.lists': {},
  'model.hosts': {},
  'model.references': {},
  'model.put': { documents: 'profiles: { declared: { tags: [declared] } }' },
  'model.delete': { kind: 'profile', id: 'declared' },
  'model.validate': { documents: 'profiles: {}' },
  'model.export': { format: 'restore' },
  'changes.list': {},
  'audit.list': {},
};

/** Asks every verb and checks each answer against its schema. Verbs that need something to act on are asked for what is not there. */
async function walk(bench: AgentBench): Promise<void> {
  const run = (await bench.query<Runs>('runs.list', {})).items[0]?.id ?? '';
  const plan = await bench.query<{ digest: string }>('plan.get', {});
  const inputs: Partial<Record<VerbName, unknown>> = {
    ...INPUTS,
    'runs.get': { id: run },
    'runs.outcomes': { id: run },
    'runs.retry': { id: run, wait: true },
    'plan.lines': { digest: plan.digest },
  };
  const notThere: Partial<Record<VerbName, unknown>> = {
    'held.release': { id: 'none' },
    'held.reject': { id: 'none' },
    'overrides.remove': { id: 'none' },
  };
  for (const [name, verb] of Object.entries(verbs) as [VerbName, (typeof verbs)[VerbName]][]) {
    const input = inputs[name] ?? notThere[name];
    const asked = verb.kind === 'query' ? bench.query(name, input) : bench.mutate(name, input);
    if (name in notThere) {
      const refusal = await asked.catch((error: unknown) => error);
      expect(refusal, name).toBeInstanceOf(Refusal);
      expect(refusal, name).toMatchObject({ body: { code: 'not-found' } });
      continue;
    }
    const answer = await asked.catch((error: Error) => expect.fail(`${name}: ${error.message}`));
    const parsed = verb.output.safeParse(answer);
    expect(
      parsed.success,
      `${name}: ${parsed.success ? '' : parsed.error.message} ${JSON.stringify(answer).slice(0, 300)}`,
    ).toBe(true);
  }
}
