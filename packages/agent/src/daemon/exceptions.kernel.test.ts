import type { VerbName, verbs } from '@setkeeper/api';
import { whyNoNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { AgentBench } from './testing/agent-process.ts';
import { savedMembers, withAgent } from './testing/with-agent.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

type Answer<Verb extends VerbName> = z.output<(typeof verbs)[Verb]['output']>;

const WEB = 'sk-v4-t.web';
const DB = 'sk-v4-t.db';
const CORP = 'sk-v4-n.corp';

const model = (web: string, db: string): string => `
profiles:
  web: { tags: [web] }
  db: { tags: [db] }
endpoints:
  w: { profiles: [web], ipv4: [${web}], ports: { http: "tcp:8080" } }
  d: { profiles: [db], ipv4: [${db}] }
networks:
  corp: { nets: [10.0.0.0/8, 192.168.0.0/16] }
`;
const WITH_FAST_LOOKS = { sets: { families: ['inet'] }, resync: { headersSeconds: 0.5, membersSeconds: 0 } };

/** For what the agent does by itself; a busy machine needs more than the default second. */
const PATIENCE = { timeout: 30_000 };

const codes = async (bench: AgentBench): Promise<readonly string[]> =>
  (await bench.query<Answer<'status.get'>>('status.get')).problems.map(({ code }) => code);

describe.skipIf(why !== null)('a hold', () => {
  it('stops programming and repair of its group alone, is read on, survives a kill, and ends by hand', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        await bench.settled();
        await bench.mutate('holds.add', { groups: ['tag:web'], forSeconds: 3_600, reason: 'rules are being moved' });
        bench.write('model.yaml', model('10.65.0.2', '10.65.1.2'));
        await bench.until<Answer<'sets.get'>>(
          'sets.get',
          { group: 'tag:db' },
          ([db]) => db?.desired === 1 && db.sync === 'in-sync' && db.changedAt !== null,
        );
        await expect.poll(() => savedMembers(namespace, DB), PATIENCE).toEqual(['10.65.1.2']);
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.1']);

        await namespace.ipset(['add', WEB, '10.9.9.9']);
        const [web] = await bench.until<Answer<'sets.get'>>(
          'sets.get',
          { group: 'tag:web' },
          ([set]) => set?.sync === 'drifted',
        );
        expect(web).toMatchObject({ blocked: 'on-hold', onHold: true, kernel: 2, pending: { adds: 1, dels: 2 } });
        const status = await bench.query<Answer<'status.get'>>('status.get');
        expect(status).toMatchObject({ ok: false, holds: 1 });
        expect(status.sentence).toContain('On hold: tag:web');
        expect(status.problems.find(({ code }) => code === 'on-hold')).toMatchObject({ subject: 'tag:web' });
        expect((await bench.query<Answer<'metrics.get'>>('metrics.get')).text).toContain('setkeeper_holds 1');
        expect(await bench.query('status.settled')).toMatchObject({ settled: false });
        await expect(bench.mutate('plan.apply', { groups: ['tag:web'] })).rejects.toMatchObject({
          body: { code: 'blocked' },
        });
        const plan = await bench.query<Answer<'plan.get'>>('plan.get', { groups: ['tag:web'] });
        expect(plan).toMatchObject({ lines: 0, sets: [{ blocked: 'on-hold', adds: 1, dels: 2 }] });

        await agent.end('SIGKILL');
        await bench.start();
        bench.write('model.yaml', model('10.65.0.2', '10.65.1.3'));
        await expect.poll(() => savedMembers(namespace, DB), PATIENCE).toEqual(['10.65.1.3']);
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.1', '10.9.9.9']);
        expect(await bench.query('holds.list')).toMatchObject([{ group: 'tag:web', reason: 'rules are being moved' }]);

        await bench.mutate('holds.remove', { groups: ['tag:web'] });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.2']);
        expect(await codes(bench)).toEqual([]);
      },
      WITH_FAST_LOOKS,
      (bench) => bench.write('model.yaml', model('10.65.0.1', '10.65.1.1')),
    ));

  it('on everything stops all, and ends by itself: what waited is programmed then', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.settled();
        await bench.mutate('holds.add', { all: true, forSeconds: 2, reason: 'maintenance' });
        bench.write('model.yaml', model('10.65.0.2', '10.65.1.2'));
        await bench.until<Answer<'status.get'>>('status.get', undefined, ({ pending }) => pending.sets >= 2);
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.1']);
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.1']);
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.2']);
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.2']);
        expect(await bench.query('holds.list')).toEqual([]);
        expect(await codes(bench)).toEqual([]);
        const { items } = await bench.query<Answer<'changes.list'>>('changes.list', {});
        expect(items.map(({ text }) => text)).toContain('the hold of all ended');
      },
      WITH_FAST_LOOKS,
      (bench) => bench.write('model.yaml', model('10.65.0.1', '10.65.1.1')),
    ));
});

describe.skipIf(why !== null)('an override', () => {
  it('beats the model on tags, networks and ports, in the kernel, and is its own owner', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.settled();
        const override = (kind: string, group: string, address: string, forSeconds = 3_600) =>
          bench.mutate<Answer<'overrides.add'>>('overrides.add', {
            kind,
            group,
            address,
            forSeconds,
            reason: 'incident',
          });
        const { id } = await override('add', 'tag:web', '10.65.9.9');
        await override('exclude', 'tag:web', '10.65.0.1');
        await override('exclude', 'net:corp', '10.1.0.0/16');
        await override('add', 'net:corp', '172.16.0.0/12');
        await override('add', 'port:web/http', '10.65.9.9,tcp:8080');
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.9.9']);
        expect(await savedMembers(namespace, CORP)).toEqual([
          '10.0.0.0/8',
          '10.1.0.0/16 nomatch',
          '172.16.0.0/12',
          '192.168.0.0/16',
        ]);
        const [port] = await bench.query<Answer<'sets.get'>>('sets.get', { group: 'port:web/http' });
        expect(await savedMembers(namespace, port?.name ?? '')).toEqual(['10.65.0.1,tcp:8080', '10.65.9.9,tcp:8080']);
        const members = await bench.query<Answer<'sets.members'>>('sets.members', { group: 'tag:web' });
        expect(members.items).toMatchObject([{ member: '10.65.9.9', owners: [{ override: id }] }]);

        await expect(override('add', 'tag:web', '10.66.0.0/16')).rejects.toMatchObject({ body: { code: 'bad-input' } });
        await expect(override('add', 'tag:wbe', '10.66.0.1')).rejects.toMatchObject({ body: { code: 'not-found' } });

        // The source says the excluded address again, and takes the added one in: both overrides stand above it.
        bench.write(
          'model.yaml',
          model('10.65.0.1', '10.65.1.2').replace('ipv4: [10.65.0.1]', 'ipv4: [10.65.0.1, 10.65.9.9]'),
        );
        await expect.poll(() => savedMembers(namespace, DB), PATIENCE).toEqual(['10.65.1.2']);
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.9.9']);
        await bench.mutate('overrides.remove', { id });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.9.9']);
        expect((await bench.query<Answer<'sets.members'>>('sets.members', { group: 'tag:web' })).items).toMatchObject([
          { owners: [{ endpoint: 'w' }] },
        ]);
      },
      WITH_FAST_LOOKS,
      (bench) => bench.write('model.yaml', model('10.65.0.1', '10.65.1.1')),
    ));

  it('ends across a restart, and what the model says comes back', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        await bench.settled();
        const override = (kind: string, group: string, address: string, forSeconds: number) =>
          bench.mutate('overrides.add', { kind, group, address, forSeconds, reason: 'incident' });
        await override('exclude', 'tag:web', '10.65.0.1', 1);
        await override('add', 'net:corp', '172.16.0.0/12', 3_600);
        await bench.settled();
        expect(await agent.end('SIGKILL')).toBe('SIGKILL');
        await bench.start();
        await expect.poll(() => savedMembers(namespace, WEB), PATIENCE).toEqual(['10.65.0.1']);
        await bench.settled();
        expect(await bench.query('overrides.list')).toMatchObject([{ kind: 'add', group: 'net:corp' }]);
        expect(await savedMembers(namespace, CORP)).toEqual(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);
      },
      WITH_FAST_LOOKS,
      (bench) => bench.write('model.yaml', model('10.65.0.1', '10.65.1.1')),
    ));
});

describe.skipIf(why !== null)('a pin', () => {
  it('keeps a group in the kernel that nothing else names, with who and why, until it is taken out', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toBeUndefined();
        await bench.mutate('pins.add', { group: 'tag:web', reason: 'ticket 4711' });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.1']);
        const [web] = await bench.query<Answer<'sets.get'>>('sets.get', { group: 'tag:web' });
        expect(web?.referenceDetails).toMatchObject([{ referrer: 'pin/tag:web', reason: 'ticket 4711' }]);
        await agent.end('SIGKILL');
        await bench.start();
        bench.write('model.yaml', `${model('10.65.0.2', '10.65.1.2')}${DB_ONLY}`);
        await expect.poll(() => savedMembers(namespace, WEB), PATIENCE).toEqual(['10.65.0.2']);
        await bench.mutate('pins.remove', { group: 'tag:web' });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toBeUndefined();
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.2']);
      },
      WITH_FAST_LOOKS,
      (bench) => bench.write('model.yaml', `${model('10.65.0.1', '10.65.1.1')}${DB_ONLY}`),
    ));
});

const DB_ONLY = 'references: { policy/db: ["tag:db"] }\n';

describe.skipIf(why !== null)('apply: manual', () => {
  it('lets changes wait for an apply, group by group and by digest, and still repairs drift', () =>
    withAgent(
      async ({ bench, namespace }) => {
        const waits = () =>
          bench.until<Answer<'status.get'>>('status.get', undefined, ({ problems }) =>
            problems.some(({ code }) => code === 'apply-waiting'),
          );
        await waits();
        expect(await savedMembers(namespace, WEB)).toBeUndefined();
        const whole = await bench.query<Answer<'plan.get'>>('plan.get', {});
        expect(await bench.mutate('plan.apply', { digest: whole.digest, wait: true })).toMatchObject({
          phase: 'succeeded',
        });
        await bench.settled();
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.1']);

        bench.write('model.yaml', model('10.65.0.2', '10.65.1.2'));
        const status = await waits();
        expect(status).toMatchObject({ ok: false, apply: 'manual' });
        expect(await bench.query('status.settled')).toMatchObject({ settled: false, failed: [] });
        await expect(bench.mutate('plan.apply', { digest: whole.digest })).rejects.toMatchObject({
          body: { code: 'digest-stale' },
        });
        await bench.mutate('plan.apply', { groups: ['tag:web'], wait: true });
        expect(await savedMembers(namespace, WEB)).toEqual(['10.65.0.2']);
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.1']);

        await namespace.ipset(['del', WEB, '10.65.0.2']);
        await expect.poll(() => savedMembers(namespace, WEB), PATIENCE).toEqual(['10.65.0.2']);
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.1']);
        await bench.mutate('plan.apply', { wait: true });
        await bench.settled();
        expect(await savedMembers(namespace, DB)).toEqual(['10.65.1.2']);
        expect(await codes(bench)).toEqual([]);
      },
      { ...WITH_FAST_LOOKS, sets: { families: ['inet'], apply: 'manual' } },
      (bench) => bench.write('model.yaml', model('10.65.0.1', '10.65.1.1')),
    ));
});
