import type { Held, ManagedSet, Run, Status } from '@setkeeper/api';
import { type TestNamespace, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type AgentBench, type AgentProcess, agentBench } from '../daemon/testing/agent-process.ts';
import { address } from './testing/engine-world.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

interface Rows<T> {
  readonly items: readonly T[];
}
interface Parts {
  readonly bench: AgentBench;
  readonly agent: AgentProcess;
  readonly namespace: TestNamespace;
}

/** A model of one tag, `web`, with so many endpoints; those whose number is in `without` are not there. */
const fleet = (count: number, without: (n: number) => boolean = () => false): string => {
  const lines = ['profiles:', '  web: { tags: [web] }', 'endpoints:'];
  for (let n = 1; n <= count; n++) if (!without(n)) lines.push(`  e${n}: { profiles: [web], ipv4: [${address(n)}] }`);
  if (lines.length === 3) lines.push('  none: { profiles: [], ipv4: [] }');
  return `${lines.join('\n')}\n`;
};

const v4 = { sets: { families: ['inet'] }, resync: { headersSeconds: 1 } };

describe.skipIf(why !== null)('the engine on a real kernel', () => {
  const withAgent = (
    model: string,
    work: (parts: Parts) => Promise<void>,
    prepare: (namespace: TestNamespace) => unknown = () => {},
    config: Readonly<Record<string, unknown>> = v4,
  ): Promise<void> =>
    withNetworkNamespace(async (namespace) => {
      const bench = agentBench(namespace, config);
      try {
        bench.write('model.yaml', model);
        await prepare(namespace);
        await work({ bench, agent: await bench.start(), namespace });
      } finally {
        await bench.remove();
      }
    });
  const members = async (namespace: TestNamespace, set: string): Promise<readonly string[]> =>
    (await namespace.ipset(['save', set]))
      .split('\n')
      .filter((line) => line.startsWith('add '))
      .map((line) => line.replace(/^add \S+ | packets .*/g, ''))
      .sort();
  const names = async (namespace: TestNamespace): Promise<readonly string[]> =>
    (await namespace.ipset(['list', '-n'])).split('\n').filter((name) => name !== '' && !name.startsWith('sk-ack-'));
  const rule = (namespace: TestNamespace, action: '-A' | '-D', set: string) =>
    namespace.exec('iptables', [action, 'INPUT', '-m', 'set', '--match-set', set, 'src', '-j', 'DROP']);
  const held = (bench: AgentBench) => bench.query<readonly Held[]>('held.list');
  const rows = async (bench: AgentBench) => (await bench.query<Rows<ManagedSet>>('sets.list', { limit: 100 })).items;
  const problems = async (bench: AgentBench) =>
    (await bench.query<Status>('status.get')).problems.map(({ code }) => code);

  it('holds a push that removes 90 % of 5,000 endpoints: not one member leaves until it is released', () =>
    withAgent(fleet(5_000), async ({ bench, namespace }) => {
      await bench.settled();
      bench.write('model.yaml', `${fleet(5_000, (n) => n <= 4_500)}  new: { profiles: [web], ipv4: [192.0.2.1] }\n`);
      await bench.until<readonly Held[]>('held.list', undefined, (list) => list.length === 1);
      await bench.settled();
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(5_001);
      const [change] = await held(bench);
      expect(change).toMatchObject({
        state: 'held',
        removes: 4_500,
        sets: [{ group: 'tag:web', removes: 4_500, adds: 1, of: 5_000 }],
      });
      expect(await problems(bench)).toContain('change-held');
      await bench.mutate('held.reject', { id: change?.id, digest: change?.digest });
      await bench.settled();
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(5_001);
      bench.write('other.yaml', 'profiles: { other: { tags: [other] } }\n');
      await bench.until<readonly Held[]>('held.list', undefined, (list) => list[0]?.state === 'held');
      await bench.settled();
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(5_001);
      const [again] = await held(bench);
      const run = await bench.mutate<Run>('held.release', { id: again?.id, digest: again?.digest, wait: true });
      expect(run).toMatchObject({ phase: 'succeeded', cause: 'release', operations: { applied: 4_501 } });
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(501);
      expect(await held(bench)).toEqual([]);
    }));

  it('removes nothing when the model directory is emptied, also across a restart, and clears when it comes back', () =>
    withAgent(fleet(30), async ({ bench, agent, namespace }) => {
      await bench.settled();
      bench.write('model.yaml', '');
      const list = await bench.until<readonly Held[]>('held.list', undefined, (all) => all.length === 1);
      expect(list[0]?.why.join()).toContain('lost all of its 31 objects');
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(30);
      await agent.end('SIGKILL');
      await bench.start();
      await bench.settled();
      expect(await members(namespace, 'sk-v4-t.web')).toHaveLength(30);
      expect((await held(bench)).map(({ id }) => id)).toEqual([list[0]?.id]);
      bench.write('model.yaml', fleet(30));
      await bench.until<readonly Held[]>('held.list', undefined, (all) => all.length === 0);
      await bench.settled();
      expect(await problems(bench)).toEqual([]);
    }));

  it('converges after SIGKILL in the middle of a rewrite, and leaves no temporary set and no writer', () =>
    withAgent('networks: { big: { files: [big.netset] } }\n', async ({ bench, agent, namespace }) => {
      const lines = Array.from({ length: 40_000 }, (_, i) => `${address(i * 4)}/31`);
      bench.write('big.netset', lines.join('\n'));
      await bench.until<Rows<ManagedSet>>('sets.list', {}, ({ items }) => items[0]?.programmed === lines.length);
      await bench.mutate('sets.reprogram', { groups: ['net:big'], reprogram: true });
      await agent.end('SIGKILL');
      expect(await names(namespace)).toContain('sk-v4-n.big');
      bench.write('big.netset', lines.slice(100).join('\n'));
      await bench.start();
      await bench.until<Rows<ManagedSet>>('sets.list', {}, ({ items }) => items[0]?.desired === lines.length - 100);
      await bench.settled();
      expect(await names(namespace)).toEqual(['sk-v4-n.big']);
      expect(await members(namespace, 'sk-v4-n.big')).toHaveLength(lines.length - 100);
      const count = lines.length - 100;
      expect(await rows(bench)).toMatchObject([{ phase: 'live', sync: 'in-sync', kernel: count, programmed: count }]);
    }));

  it('mends what somebody does by hand: destroyed, flushed, swapped, made anew, members taken and added', () =>
    withAgent(
      `${fleet(3)}networks: { n: { nets: [0.0.0.0/0], except: [10.1.0.0/16] } }\n`,
      async ({ bench, namespace }) => {
        await bench.settled();
        const right = { web: await members(namespace, 'sk-v4-t.web'), n: await members(namespace, 'sk-v4-n.n') };
        expect(right.n).toEqual(['0.0.0.0/1', '10.1.0.0/16 nomatch', '128.0.0.0/1']);
        await rule(namespace, '-A', 'sk-v4-n.n');
        const hands: readonly (readonly string[])[] = [
          ['destroy sk-v4-t.web'],
          ['flush sk-v4-n.n'],
          ['create other hash:net', 'add other 192.0.2.0/24', 'swap other sk-v4-n.n', 'destroy other'],
          ['destroy sk-v4-t.web', 'create sk-v4-t.web hash:net', 'add sk-v4-t.web 192.0.2.0/24'],
          ['destroy sk-v4-t.web', 'create sk-v4-t.web hash:ip family inet6'],
          ['del sk-v4-t.web 10.0.0.1', 'del sk-v4-t.web 10.0.0.2', 'add sk-v4-t.web 192.0.2.9'],
        ];
        for (const [i, lines] of hands.entries()) {
          await namespace.ipset(['restore'], `${lines.join('\n')}\n`);
          await bench.until<Rows<unknown>>('sets.drift', { limit: 100 }, ({ items }) => items.length > i);
          await bench.settled();
          expect(await members(namespace, 'sk-v4-t.web'), lines.join()).toEqual(right.web);
          expect(await members(namespace, 'sk-v4-n.n'), lines.join()).toEqual(right.n);
        }
        expect((await namespace.exec('iptables-save')).stdout).toContain('--match-set sk-v4-n.n');
        expect((await names(namespace)).toSorted()).toEqual(['sk-v4-n.n', 'sk-v4-t.web']);
      },
    ));

  it('retries a member of a list whose set is back, and keeps what others added when repair is off', () =>
    withAgent(
      `${fleet(2)}networks: { n: { nets: [10.0.0.0/8] } }\nlists: { l: { members: ["tag:web"] } }\n`,
      async ({ bench, namespace }) => {
        await bench.settled();
        await namespace.ipset(['add', 'sk-l.l', 'sk-v4-x']);
        await namespace.ipset(['destroy', 'sk-v4-n.n']);
        bench.write(
          'model.yaml',
          `${fleet(2)}networks: { n: { nets: [10.0.0.0/8] } }\nlists: { l: { members: ["tag:web", "net:n"] } }\n`,
        );
        const runs = await bench.until<Rows<Run>>('runs.list', {}, ({ items }) => items[0]?.phase === 'partly');
        await bench.until<Status>('status.get', undefined, ({ problems }) =>
          ['drift', 'members-parked'].every((code) => problems.some((each) => each.code === code)),
        );
        await bench.settled();
        expect(await members(namespace, 'sk-l.l')).toEqual(['sk-v4-t.web', 'sk-v4-x']);
        await namespace.ipset(['restore'], 'create sk-v4-n.n hash:net\nadd sk-v4-n.n 10.0.0.0/8\n');
        const again = await bench.mutate<Run>('runs.retry', { id: runs.items[0]?.id, wait: true });
        expect(again).toMatchObject({ phase: 'succeeded', operations: { applied: 2 } });
        expect(await members(namespace, 'sk-l.l')).toEqual(['sk-v4-n.n', 'sk-v4-t.web', 'sk-v4-x']);
        expect(await rows(bench)).toContainEqual(expect.objectContaining({ group: 'list:l', sync: 'drifted' }));
      },
      (namespace) => namespace.ipset(['create', 'sk-v4-x', 'hash:ip']),
      { sets: { families: ['inet'] }, resync: { headersSeconds: 0, membersSeconds: 0, repair: false } },
    ));

  it('keeps a leftover that a rule uses, foreign sets with names like ours, and their content', () =>
    withAgent(
      fleet(2),
      async ({ bench, namespace }) => {
        await bench.settled();
        bench.write('model.yaml', fleet(3));
        await bench.until<readonly ManagedSet[] & Rows<ManagedSet>>(
          'sets.list',
          {},
          ({ items }) => items[0]?.desired === 3,
        );
        await bench.settled();
        for (const name of ['sk-v4-t.old', 'sk-something', 'my-sk-v4-t.web', 'SK-v4-t.web']) {
          expect(await members(namespace, name)).toEqual(['192.0.2.1']);
        }
        expect(await names(namespace)).not.toContain('sk-tmp-dead');
      },
      async (namespace) => {
        for (const name of ['sk-v4-t.old', 'sk-something', 'my-sk-v4-t.web', 'SK-v4-t.web', 'sk-tmp-dead']) {
          await namespace.ipset(['restore'], `create ${name} hash:ip\nadd ${name} 192.0.2.1\n`);
        }
        await rule(namespace, '-A', 'sk-v4-t.old');
      },
    ));

  it.each(['sk-v4-t.web\n', 'x\nName: sk-v4-t.web', '\n'])('goes on beside a set of the name %j', (hostile) =>
    withAgent(
      fleet(2),
      async ({ bench, namespace }) => {
        await bench.settled();
        bench.write('model.yaml', fleet(3));
        await bench.until<Rows<ManagedSet>>('sets.list', {}, ({ items }) => items[0]?.desired === 3);
        await bench.settled();
        expect(await members(namespace, 'sk-v4-t.web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
        expect(await rows(bench)).toMatchObject([{ phase: 'live', sync: 'in-sync', kernel: 3 }]);
        expect((await namespace.exec('ipset', ['test', hostile, '192.0.2.1'])).exitCode).toBe(0);
      },
      async (namespace) => {
        await namespace.ipset(['create', hostile, 'hash:ip']);
        await namespace.ipset(['add', hostile, '192.0.2.1']);
      },
    ),
  );

  it('keeps a set that a rule uses when nothing references it, and ends it when the rule goes', () =>
    withAgent(`${fleet(2)}references: { a: ["tag:web"], b: ["tag:other"] }\n`, async ({ bench, namespace }) => {
      await bench.settled();
      await rule(namespace, '-A', 'sk-v4-t.web');
      bench.write('model.yaml', `${fleet(3)}references: { b: ["tag:other"] }\n`);
      await bench.until<Status>('status.get', undefined, (status) =>
        status.problems.some(({ code }) => code === 'used-but-not-referenced'),
      );
      await bench.settled();
      expect(await members(namespace, 'sk-v4-t.web')).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
      await rule(namespace, '-D', 'sk-v4-t.web');
      await bench.until<Status>('status.get', undefined, (status) => status.problems.length === 0);
      await bench.settled();
      expect(await names(namespace)).toEqual(['sk-v4-t.other']);
    }));

  it('leaves a used set of another type alone, says what holds it, and makes it anew when it is free', () =>
    withAgent(
      fleet(2),
      async ({ bench, namespace }) => {
        await bench.settled();
        expect(await rows(bench)).toMatchObject([{ blocked: 'header-conflict', phase: 'starting' }]);
        expect(await members(namespace, 'sk-v4-t.web')).toEqual(['192.0.2.0/24']);
        await rule(namespace, '-D', 'sk-v4-t.web');
        await bench.until<Rows<ManagedSet>>('sets.list', {}, ({ items }) => items[0]?.phase === 'live');
        expect(await members(namespace, 'sk-v4-t.web')).toEqual(['10.0.0.1', '10.0.0.2']);
      },
      async (namespace) => {
        await namespace.ipset(['restore'], 'create sk-v4-t.web hash:net\nadd sk-v4-t.web 192.0.2.0/24\n');
        await rule(namespace, '-A', 'sk-v4-t.web');
      },
    ));

  it('programs an over-full set up to its room, and all of it when it may grow', () =>
    withAgent(
      fleet(100),
      async ({ bench, namespace }) => {
        await bench.settled();
        expect(await rows(bench)).toMatchObject([{ phase: 'starting', overCapacity: 36, programmed: 64, kernel: 64 }]);
        bench.write(
          'model.yaml',
          fleet(100, (n) => n === 1),
        );
        await bench.until<Rows<ManagedSet>>('sets.list', {}, ({ items }) => items[0]?.overCapacity === 35);
        await bench.settled();
        expect(await members(namespace, 'sk-v4-t.web')).toContain('10.0.0.65');
        const asked = { groups: ['tag:web'], reprogram: true, maxelem: 128 };
        const plan = await bench.query<{ digest: string }>('plan.get', asked);
        const run = await bench.mutate<Run>('sets.reprogram', { ...asked, digest: plan.digest, wait: true });
        expect(run.phase).toBe('succeeded');
        await bench.settled();
        expect(await rows(bench)).toMatchObject([{ phase: 'live', sync: 'in-sync', maxelem: 128, kernel: 99 }]);
      },
      () => {},
      { ...v4, sets: { families: ['inet'], maxelem: 64 } },
    ));

  it('takes over a foreign set that was handed over, once it is released, and never destroys it', () =>
    withAgent(
      'networks: { blacklist: { nets: [10.0.0.0/8, 198.51.100.0/24] } }\n',
      async ({ bench, namespace }) => {
        const list = await bench.until<readonly Held[]>('held.list', undefined, (all) => all.length === 1);
        expect(await members(namespace, 'blacklist')).toEqual(['10.0.0.0/8', '192.0.2.0/24']);
        const run = await bench.mutate<Run>('held.release', { id: list[0]?.id, digest: list[0]?.digest, wait: true });
        expect(run.phase).toBe('succeeded');
        expect(await members(namespace, 'blacklist')).toEqual(['10.0.0.0/8', '198.51.100.0/24']);
        expect(await names(namespace)).toEqual(['blacklist']);
      },
      (namespace) =>
        namespace.ipset(
          ['restore'],
          'create blacklist hash:net counters\nadd blacklist 10.0.0.0/8\nadd blacklist 192.0.2.0/24\n',
        ),
      { ...v4, sets: { families: ['inet'], adopt: { blacklist: 'net:blacklist' } } },
    ));
});
