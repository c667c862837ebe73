import { createHash } from 'node:crypto';
import type { Handlers } from '@setkeeper/api';
import { startRun } from './act.ts';
import type { MockState } from './mock-state.ts';
import { matching } from './page-of.ts';
import { ago } from './set-world.ts';

const foreign = [
  { name: 'f2b-sshd', type: 'hash:ip', entries: 212, byName: 'fail2ban' },
  { name: 'firewalld-block', type: 'hash:net', entries: 8, byName: 'firewalld' },
  { name: 'a<b>&"c', type: 'hash:ip', entries: 3 },
  { name: 'office\u202etxt.exe', type: 'hash:ip', entries: 1 },
  { name: 'crowdsec-blacklists', type: 'hash:net', entries: 18_402, byName: 'crowdsec' },
  { name: 'KUBE-LOOP-BACK', type: 'hash:ip,port,ip', entries: 40, byName: 'kube-proxy' },
];

/** What is in the invented host's kernel: `kernel.*`, `leftovers.*`, `references.*`, `leaks.*`, `explain.*`. */
export function hostHandlers(
  state: MockState,
): Pick<
  Handlers,
  'kernel.list' | 'leftovers.list' | 'leftovers.cleanup' | 'references.list' | 'leaks.list' | 'explain.address'
> {
  const digest = () =>
    createHash('sha256')
      .update(state.leftovers.map((one) => `${one.name} ${one.eligible}`).join('\n'))
      .digest('hex');
  const rule = (name: string, number: number) => ({
    kind: 'iptables-nft' as const,
    where: `filter INPUT ${number}`,
    rule: `-A INPUT -m set --match-set ${name} src -j DROP`,
    count: 1,
    removeWith: `iptables -t filter -D INPUT -m set --match-set ${name} src -j DROP`,
  });
  return {
    'kernel.list': ({ filter, owner }) =>
      matching(
        [
          ...state.sets.slice(0, 412).map((set) => ({
            name: set.name,
            type: set.type,
            family: set.family,
            entries: set.kernel,
            references: set.kernelReferences,
            memoryBytes: 200 + (set.kernel ?? 0) * 24,
            owner: 'managed' as const,
            readable: set.kernel !== null,
            group: set.group,
            ...(set.kernel === null ? { unreadableWhy: 'The read timed out after 60 s' } : {}),
          })),
          ...state.leftovers.map((set) => ({
            name: set.name,
            type: set.type,
            family: 'inet' as const,
            entries: set.entries,
            references: set.references,
            memoryBytes: 200 + (set.entries ?? 0) * 24,
            owner: set.form === 'temporary' ? ('temporary' as const) : ('leftover' as const),
            readable: true,
          })),
          ...(state.scenario === 'empty'
            ? []
            : foreign.map((set) => ({
                ...set,
                family: 'inet' as const,
                references: 1,
                memoryBytes: 200 + set.entries * 24,
                owner: 'foreign' as const,
                readable: true,
              }))),
        ],
        filter,
        (set) => `${set.name} ${set.type}`,
      ).filter((set) => owner === undefined || set.owner === owner),
    'leftovers.list': ({ filter }) => ({
      items: [...matching(state.leftovers, filter, (one) => one.name)],
      digest: digest(),
      at: new Date().toISOString(),
    }),
    'leftovers.cleanup': (input) => {
      const chosen = state.leftovers.filter((one) => input.names.length === 0 || input.names.includes(one.name));
      const eligible = chosen.filter((one) => one.eligible);
      const kept = chosen
        .filter((one) => !one.eligible)
        .map((one) => ({ name: one.name, reason: one.reason ?? '', holders: one.holders }));
      const script = eligible.map((one) => `destroy ${one.name}\n`).join('');
      const answer = {
        digest: createHash('sha256').update(script).digest('hex'),
        eligible: eligible.length,
        script,
        kept,
      };
      if (input.dryRun) return { ...answer, removed: [] };
      const names = new Set(eligible.map((one) => one.name));
      state.leftovers = state.leftovers.filter((one) => !names.has(one.name));
      const run = startRun(state, [], { cause: 'cleanup', isRewrite: false });
      state.events.emit({ type: 'kernel-changed' });
      return { ...answer, removed: [...names], run: run.id, phase: 'succeeded' };
    },
    'references.list': ({ group, filter }) =>
      matching(state.sets, filter, (set) => `${set.group} ${set.name}`)
        .filter((set) =>
          group === undefined ? (set.kernelReferences ?? 0) > 0 || set.references.length > 0 : set.group === group,
        )
        .slice(0, 400)
        .map((set, index) => {
          const isLeak = state.scenario === 'trouble' && set.group === 'tag:cache' && set.family === 'inet';
          return {
            group: set.group,
            name: set.name,
            family: set.family,
            named: set.references.map((referrer) => ({ referrer, since: ago(86_400_000) })),
            kernel: (set.kernelReferences ?? 0) + (isLeak ? 1 : 0),
            holders: Array.from({ length: set.kernelReferences ?? 0 }, (_, at) => rule(set.name, 3 + at + (index % 7))),
            possibleHolders: isLeak
              ? [{ kind: 'nft-compat' as const, where: 'ruleset table ip filter', count: 1 }]
              : [],
            unexplained: isLeak ? 1 : 0,
            unexplainedSince: isLeak ? ago(5_400_000) : null,
            unreadable: isLeak
              ? [{ what: 'tc filters of eth1', why: 'tc is not installed', remedy: 'Install iproute2' }]
              : [],
            owner: 'managed',
          };
        }),
    'leaks.list': () =>
      state.scenario === 'trouble'
        ? [
            {
              kind: 'kernel',
              name: 'sk-v4-t.cache',
              group: 'tag:cache',
              count: 1,
              since: ago(5_400_000),
              holders: [],
              possibleHolders: [{ kind: 'nft-compat', where: 'ruleset table ip filter', count: 1 }],
              advice:
                'One reference is held by nothing that could be found. A deleted rule of another namespace can leave one behind; only a reboot frees it.',
            },
            {
              kind: 'named',
              group: 'tag:video',
              count: 1,
              since: ago(86_400_000),
              holders: [],
              possibleHolders: [],
              advice: 'policy/allow-video no longer exists in any source. Unpin it if nothing needs tag:video.',
            },
          ]
        : [],
    'explain.address': ({ address, group }) => {
      const endpoint = state.model.endpoints.find((one) => one.ipv4 === address || one.ipv6 === address);
      const tags = endpoint?.profiles.flatMap((profile) => state.model.profiles.get(profile) ?? []) ?? [];
      const family = address.includes(':') ? ('inet6' as const) : ('inet' as const);
      const ours = [...new Set(tags)].map((tag) => ({
        name: `sk-v4-t.${tag}`,
        group: `tag:${tag}`,
        family,
        type: 'hash:ip',
        foreign: false,
        matched: true,
        excluded: false,
        by: [address],
        owners: [
          {
            source: 'directory',
            profile: endpoint?.profiles[0] ?? '',
            endpoint: endpoint?.id ?? '',
            file: endpoint?.file ?? '',
          },
        ],
        inKernel: true,
        desired: true,
        since: ago(7_200_000),
        event: 'endpoints/web-prod.yaml',
        run: 'r-2030',
        line: 4,
        usedBy: ['filter INPUT 3 ACCEPT'],
        via: [],
        verdict: `${address} is in tag:${tag}, used by INPUT rule 3 ACCEPT`,
      }));
      const banned = {
        name: 'f2b-sshd',
        family,
        type: 'hash:ip',
        foreign: true,
        byName: 'fail2ban',
        matched: true,
        excluded: false,
        by: [address],
        owners: [],
        inKernel: true,
        desired: false,
        since: null,
        event: null,
        run: null,
        line: null,
        usedBy: ['filter INPUT 3 DROP'],
        via: [],
        verdict: `${address} is in f2b-sshd (foreign, fail2ban by its name), used by INPUT rule 3 DROP`,
      };
      const asked =
        group !== undefined && !ours.some((one) => one.group === group)
          ? [
              {
                name: `sk-v4-t.${group.slice(4)}`,
                group,
                family,
                type: 'hash:ip',
                foreign: false,
                matched: false,
                excluded: false,
                by: [],
                owners: [],
                inKernel: false,
                desired: false,
                since: ago(3_900_000),
                event: 'web.yaml',
                run: 'r-2019',
                line: 2,
                usedBy: ['filter INPUT 4 ACCEPT'],
                via: [],
                verdict: `${address} is NOT in ${group}: endpoint node-a/x was removed 02:11 by web.yaml`,
              },
            ]
          : [];
      return {
        address,
        sets: address === '203.0.113.9' ? [banned, ...asked] : [...asked, ...ours],
        endpoints:
          endpoint === undefined
            ? []
            : [{ id: endpoint.id, groups: [...new Set(tags)].map((tag) => `tag:${tag}`), active: true }],
        unreadable:
          state.scenario === 'trouble' ? [{ name: 'sk-v4-t.batch', why: 'the last read timed out after 60 s' }] : [],
        why:
          endpoint === undefined && address !== '203.0.113.9'
            ? [`No endpoint, network or override of the model has ${address}.`]
            : [],
      };
    },
  };
}
