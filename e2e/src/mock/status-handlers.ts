import type { Handlers, VerbName } from '@setkeeper/api';
import { mayAsk, verbs } from '@setkeeper/api';
import type { MockState } from './mock-state.ts';
import { modelKinds } from './model-handlers.ts';
import { ago } from './set-world.ts';

type Status = Awaited<ReturnType<Handlers['status.get']>>;
type Problem = Status['problems'][number];
type Source = Awaited<ReturnType<Handlers['sources.list']>>[number];

function problemsOf(state: MockState): Problem[] {
  if (state.scenario === 'held') {
    return [
      {
        code: 'change-held',
        severity: 'warning',
        subject: 'directory',
        message: 'one change removes 9,310 members of 2 sets',
        since: ago(2_800_000),
        remedy: 'Release it if the model is right, or reject it.',
        consequence: 'Its additions are in; no removal is.',
      },
    ];
  }
  if (state.scenario !== 'trouble' && state.scenario !== 'huge') return [];
  return [
    {
      code: 'header-conflict',
      severity: 'critical',
      subject: 'tag:chat-test',
      message: 'the kernel has a set of this name with another type, used by a rule',
      since: ago(9_000_000),
      remedy: 'Remove the rule that uses it; the command stands under its references.',
      consequence: 'tag:chat-test is not programmed: rules that name it match nothing of it.',
    },
    {
      code: 'no-longer-used',
      severity: 'critical',
      subject: 'net:partners',
      message: 'its kernel references fell from 2 to 0',
      since: ago(3_100_000),
      remedy: 'See which tool wrote its rules, and whether they were lost.',
      consequence: 'Its content is right, and nothing enforces it.',
    },
    {
      code: 'change-held',
      severity: 'warning',
      subject: 'directory',
      message: 'one change removes 9,310 members of 2 sets',
      since: ago(2_800_000),
      remedy: 'Release it if the model is right, or reject it.',
      consequence: 'Its additions are in; no removal is.',
    },
    {
      code: 'members-parked',
      severity: 'warning',
      subject: 'net:block',
      message: '50 members were rejected: Hash is full, cannot add more elements',
      since: ago(800_000),
      remedy: 'Grow the set.',
      consequence: '50 of 65,586 addresses are not blocked.',
    },
    {
      code: 'drift',
      severity: 'warning',
      subject: 'tag:db',
      message: '3 members differ from what was programmed',
      since: ago(240_000),
      remedy: 'It is repaired at the next read-back.',
    },
    {
      code: 'set-unknown',
      severity: 'warning',
      subject: 'tag:batch',
      message: 'the last read-back timed out after 60 s',
      since: ago(400_000),
      remedy: 'Look at the host\u2019s load.',
    },
    {
      code: 'source-fault',
      severity: 'notice',
      subject: 'endpoints/mail-test.yaml',
      message: 'line 14: 10.0.0.300 is not an address',
      since: ago(1_900_000),
      remedy: 'Mend the file; the object keeps its last good value.',
    },
  ];
}

/** The sources of the invented agent. */
export function sourcesOf(state: MockState): Source[] {
  if (state.scenario === 'observe') return [];
  const fault = {
    file: 'endpoints/mail-test.yaml',
    line: 14,
    path: 'endpoints/node-a/k8s/mail-test.31/eth0/ipv4/0',
    reason: '10.0.0.300 is not an address',
    severity: 'error' as const,
  };
  return [
    {
      name: 'directory /etc/setkeeper/model.d',
      kind: 'directory',
      state: 'current',
      objects: state.model.endpoints.length + state.model.profiles.size,
      problems: state.scenario === 'trouble' ? [fault] : [],
      lastGoodAt: ago(40_000),
      commit: '3fa9c17b5e0d4c1a86f2907d5c3b41e8a7f6d210',
    },
    ...(state.scenario === 'trouble'
      ? [
          {
            name: 'etcd http://127.0.0.1:2379',
            kind: 'etcd' as const,
            state: 'stale' as const,
            since: ago(1_500_000),
            objects: 412,
            problems: [],
            lastGoodAt: ago(1_500_000),
            detail: 'connection refused; next attempt in 12 s',
            waiting: 'serving its last good content',
          },
        ]
      : []),
    { name: 'declared', kind: 'declared', state: 'current', objects: 2, problems: [], lastGoodAt: ago(86_400_000) },
  ];
}

function sentenceOf(state: MockState): string {
  switch (state.scenario) {
    case 'held':
      return 'Held: one change removes 9,310 members; its additions are in, no removal is';
    case 'calm':
      return `All ${state.sets.length} sets match what the model says`;
    case 'empty':
      return 'node-a has no model yet: no set is managed';
    case 'observe':
      return 'node-a is observed: 6 sets, nothing is written';
    default:
      return `node-a: ${state.sets.filter((set) => set.sync !== 'in-sync').length} of ${state.scenario === 'huge' ? '100,000' : state.sets.length} sets are NOT what the model says, since 23:41 UTC.`;
  }
}

/** `status.*`, `sources.*`, `session.*`, `doctor.*`, `metrics.*` of the invented agent. */
export function statusHandlers(
  state: MockState,
): Pick<
  Handlers,
  | 'status.get'
  | 'status.settled'
  | 'status.charts'
  | 'sources.list'
  | 'sources.accept'
  | 'session.get'
  | 'doctor.run'
  | 'metrics.get'
> {
  const count = (test: (set: MockState['sets'][number]) => boolean) => state.sets.filter(test).length;
  const desired = (family: 'inet' | 'inet6') =>
    state.sets.reduce((sum, set) => sum + (set.family === family ? set.desired : 0), 0);
  return {
    'status.get': () => {
      const problems = problemsOf(state);
      return {
        ok: problems.length === 0,
        sentence: sentenceOf(state),
        host: 'node-a',
        version: '0.1.0',
        mode: state.scenario === 'observe' ? 'observe' : 'manage',
        startedAt: ago(86_400_000 * 6),
        at: new Date().toISOString(),
        epoch: state.events.epoch,
        prefix: 'sk-',
        apply: 'auto',
        headersSeconds: 10,
        sourcesCurrent: state.scenario !== 'trouble',
        sources: sourcesOf(state),
        sets: {
          total: state.scenario === 'huge' ? 100_000 : state.sets.length,
          live: count((set) => set.phase === 'live'),
          dirty: count((set) => set.sync === 'dirty'),
          drifted: count((set) => set.sync === 'drifted'),
          failed: count((set) => set.lastResult === 'failed'),
          unknown: count((set) => set.sync === 'unknown'),
          unused: count((set) => set.use === 'unused'),
          inSync: state.scenario === 'huge' ? 99_994 : count((set) => set.sync === 'in-sync'),
        },
        members: { inet: desired('inet'), inet6: desired('inet6') },
        held: state.held.filter((one) => one.state === 'held').length,
        holds: state.holds.length,
        overrides: state.overrides.length,
        leftovers: state.leftovers.length,
        leaks: state.scenario === 'trouble' ? 2 : 0,
        pending: {
          adds: state.sets.reduce((sum, set) => sum + set.pending.adds, 0),
          dels: state.sets.reduce((sum, set) => sum + set.pending.dels, 0),
          sets: count((set) => set.pending.adds + set.pending.dels > 0),
        },
        problems,
        lastRun: state.runs[0] ?? null,
        running: state.runs[0]?.phase === 'running',
        kernel: {
          ipset: '7.17',
          protocol: 7,
          types: ['hash:ip', 'hash:ip,port', 'hash:net', 'list:set'],
          namespace: 'net:[4026531840]',
          iptables: '1.8.9 (nf_tables)',
          release: '6.1.0-38-amd64',
        },
        readAt: ago(4_000),
        modelKinds: modelKinds(state),
      };
    },
    'status.settled': () => ({ settled: true, failed: [], held: 0, waitingFor: [] }),
    'status.charts': ({ minutes }) => {
      const at: number[] = [];
      const buckets = 60;
      const step = (minutes * 60) / buckets;
      const now = Math.floor(Date.now() / 1_000);
      for (let bucket = 0; bucket < buckets; bucket += 1) at.push(Math.floor(now - (buckets - bucket) * step));
      const wave = (index: number, size: number) =>
        Math.round((Math.sin(index / 5) + 1.2) * size + ((index * 7919) % 5));
      return {
        at,
        runs: at.map((_, index) => wave(index, 6)),
        failed: at.map((_, index) => (state.scenario === 'trouble' && index % 17 === 11 ? 2 : 0)),
        latencyP50Ms: at.map((_, index) => 52 + wave(index, 3)),
        latencyP99Ms: at.map((_, index) => (index % 13 === 4 ? null : 70 + wave(index, 22))),
      };
    },
    'sources.list': () => sourcesOf(state),
    'sources.accept': ({ name }) =>
      sourcesOf(state).find((source) => source.name === name) ?? {
        name,
        kind: 'declared',
        state: 'current',
        objects: 0,
        problems: [],
        lastGoodAt: null,
      },
    'session.get': () => ({
      subject: 'local',
      name: 'local',
      role: state.role,
      via: 'gateway',
      verbs: Object.fromEntries(
        Object.entries(verbs).map(([name, verb]) => [name satisfies string as VerbName, mayAsk(state.role, verb)]),
      ),
    }),
    'doctor.run': () => [
      { check: 'ipset is installed', ok: true, detail: 'ipset 7.17, protocol 7' },
      { check: 'the agent may change sets', ok: true, detail: 'CAP_NET_ADMIN is held' },
      {
        check: 'boot files are written',
        ok: state.scenario !== 'trouble',
        detail: state.scenario === 'trouble' ? '/var/lib/setkeeper/boot.d is on a full disk' : '4 files, 12 s old',
        ...(state.scenario === 'trouble' ? { remedy: 'Free space on /var' } : {}),
      },
      { check: 'holders can be read', ok: true, detail: 'iptables-save of both families answers' },
    ],
    'metrics.get': () => ({ text: '# none\n' }),
  };
}
