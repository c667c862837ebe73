import type { Explanation, ReferenceRow } from '@setkeeper/api';
import { makeNetworkNamespace, type TestNamespace, whyNoNamespace } from '@setkeeper/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentBench, agentBench, Refusal } from '../daemon/testing/agent-process.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

const MODEL = `
profiles:
  web: { tags: [web, frontend] }
endpoints:
  node-a/x: { profiles: [web], ipv4: [10.65.0.2], ports: { http: "tcp:8080" } }
  node-a/y: { profiles: [web], ipv4: [10.65.0.3] }
networks:
  corp: { nets: [10.0.0.0/8, "2001:db8::/32"], except: [10.1.0.0/16] }
lists:
  trusted: { members: ["tag:web", "net:corp"] }
`;

describe.skipIf(why !== null)('explain on the real kernel', () => {
  let namespace: TestNamespace & { remove(): Promise<void> };
  let bench: AgentBench;

  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    bench = agentBench(namespace, { sets: { program: 'all' } });
    bench.write('web.yaml', MODEL);
    await bench.start();
    await bench.settled();
    const end = await namespace.exec('bash', [
      '-ec',
      `ipset create f2b-sshd hash:ip timeout 600 comment; ipset add f2b-sshd 203.0.113.9 comment "by fail2ban"
       ipset create allow hash:net,port counters; ipset add allow 203.0.113.0/24,tcp:22
       iptables-nft -A INPUT -m set --match-set f2b-sshd src -j DROP
       iptables-nft -t raw -A PREROUTING -m set --match-set sk-v4-t.web src -j ACCEPT
       ip6tables-nft -A INPUT -m set --match-set sk-v6-n.corp src -j DROP`,
    ]);
    if (end.exitCode !== 0) throw new Error(end.stderr);
  });
  afterAll(async () => {
    await bench?.remove();
    await namespace?.remove();
  });

  const explain = (address: string, group?: string): Promise<Explanation> =>
    bench.query('explain.address', { address, ...(group === undefined ? {} : { group }) });
  const bySet = (answer: Explanation): Record<string, Explanation['sets'][number]> =>
    Object.fromEntries(answer.sets.map((set) => [set.name, set]));

  it('finds an address in foreign sets of any type, with the tool by its name and the rule', async () => {
    const sets = bySet(await explain('203.0.113.9'));
    expect(sets['f2b-sshd']).toMatchObject({ foreign: true, byName: 'fail2ban', matched: true, by: ['203.0.113.9'] });
    expect(sets['f2b-sshd']?.verdict).toBe(
      '203.0.113.9 is in f2b-sshd (foreign, fail2ban by its name), used by INPUT rule 1 DROP',
    );
    expect(sets.allow).toMatchObject({ matched: true, by: ['203.0.113.0/24,tcp:22'], usedBy: [] });
  });

  it('says through which endpoint, profile, file, run and line it is in a group, and in lists', async () => {
    const answer = await explain('10.65.0.2');
    const sets = bySet(answer);
    const web = sets['sk-v4-t.web'];
    expect(web).toMatchObject({
      group: 'tag:web',
      matched: true,
      desired: true,
      inKernel: true,
      owners: [{ endpoint: 'node-a/x', profile: 'web', source: 'model' }],
      usedBy: ['raw PREROUTING rule 1 ACCEPT', 'list sk-l.trusted'],
    });
    expect(web?.event).toMatch(/^endpoint node-a\/x added [0-9:]+ UTC by web\.yaml:/u);
    const run = await bench.query<{ script: string }>('runs.get', { id: web?.run });
    expect(run.script.split('\n')[(web?.line ?? 0) - 1]).toBe('add sk-v4-t.web 10.65.0.2');
    expect(web?.verdict).toBe(
      '10.65.0.2 is in tag:web (sk-v4-t.web) because of endpoint node-a/x (profile web), used by raw PREROUTING rule 1 ACCEPT, list sk-l.trusted',
    );
    expect(sets['sk-l.trusted']).toMatchObject({
      group: 'list:trusted',
      matched: true,
      via: ['sk-v4-n.corp', 'sk-v4-t.web'],
    });
    expect(answer.sets.find(({ group }) => group === 'port:web/http')).toMatchObject({ by: ['10.65.0.2,tcp:8080'] });
    expect(answer.endpoints).toEqual([
      { id: 'node-a/x', groups: ['port:frontend/http', 'port:web/http', 'tag:frontend', 'tag:web'], active: true },
    ]);
  });

  it('decides networks by the longest prefix, exceptions too, in both families', async () => {
    const excluded = bySet(await explain('10.1.2.3'));
    expect(excluded['sk-v4-n.corp']).toMatchObject({ matched: false, excluded: true, desired: false });
    expect(excluded['sk-v4-n.corp']?.verdict).toBe(
      '10.1.2.3 is NOT in net:corp (sk-v4-n.corp): 10.1.0.0/16 nomatch is an exception',
    );
    const six = bySet(await explain('2001:DB8:0::17'));
    expect(six['sk-v6-n.corp']).toMatchObject({
      matched: true,
      by: ['2001:db8::/32'],
      usedBy: ['INPUT rule 1 DROP (IPv6)', 'list sk-l.trusted'],
    });
  });

  it('says why not: an endpoint that was removed, or that never was in the group', async () => {
    bench.write('web.yaml', MODEL.replace(/ {2}node-a\/y: .*\n/u, ''));
    await bench.until<ReferenceRow[]>('references.list', { group: 'tag:web' }, () => true);
    await bench.until<Explanation>('explain.address', { address: '10.65.0.3', group: 'tag:web' }, ({ sets }) =>
      sets.every(({ matched, desired }) => !matched && !desired),
    );
    const gone = await explain('10.65.0.3', 'tag:web');
    expect(gone.sets.map(({ verdict }) => verdict)).toEqual([
      expect.stringMatching(
        /^10\.65\.0\.3 is NOT in tag:web \(sk-v4-t\.web\): endpoint node-a\/y was removed [0-9:]+ UTC by web\.yaml/u,
      ),
    ]);
    expect((await explain('10.65.0.3')).why).toEqual([expect.stringMatching(/^endpoint node-a\/y was removed /u)]);
    const never = await explain('192.0.2.77', 'tag:web');
    expect(never.sets[0]?.verdict).toBe(
      '192.0.2.77 is NOT in tag:web (sk-v4-t.web): nothing in the model puts 192.0.2.77 into tag:web, now or before as far as the history reaches',
    );
  });

  it('refuses what is no address, and a group that nobody knows', async () => {
    const code = async (address: string, group?: string): Promise<unknown> =>
      explain(address, group).catch((error: unknown) => (error instanceof Refusal ? error.body.code : error));
    expect(await code('10.0.0.0/8')).toBe('bad-input');
    expect(await code('010.0.0.1')).toBe('bad-input');
    expect(await code('localhost')).toBe('bad-input');
    expect(await code('10.0.0.1', 'tag:nobody')).toBe('not-found');
  });
});
