import type { Handlers } from '@setkeeper/api';
import { ApiError } from '@setkeeper/api';
import { startRun } from './act.ts';
import type { MockState } from './mock-state.ts';
import { matching, pageOf } from './page-of.ts';
import { ago } from './set-world.ts';

type SafetyVerbs =
  | 'held.list'
  | 'held.release'
  | 'held.reject'
  | 'holds.list'
  | 'holds.add'
  | 'holds.remove'
  | 'overrides.list'
  | 'overrides.add'
  | 'overrides.remove'
  | 'pins.list'
  | 'pins.add'
  | 'pins.remove'
  | 'changes.list'
  | 'audit.list'
  | 'audit.verify';
type Change = Awaited<ReturnType<Handlers['changes.list']>>['items'][number];
type AuditEntry = Awaited<ReturnType<Handlers['audit.list']>>['items'][number];

const until = (forSeconds: number) => new Date(Date.now() + forSeconds * 1_000).toISOString();

function changesOf(state: MockState): Change[] {
  if (state.sets.length === 0) return [];
  const kinds = ['model', 'run', 'model', 'drift', 'operator', 'source', 'run', 'guard'] as const;
  const texts: Record<(typeof kinds)[number], string> = {
    model: 'endpoint node-a/k8s/web-prod.14/eth0 added with 10.65.0.16; 6 groups gain a member',
    run: '12 operations applied in 3 sets',
    drift: 'somebody else added 2 members and removed 1',
    operator: 'reprogrammed net:corp: "after the router change"',
    source: 'etcd does not answer; its last good content is served',
    guard: 'one change removes 9,310 members: held',
  };
  return Array.from({ length: 180 }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? 'model';
    return {
      id: `c${index}`,
      at: ago(60_000 + index * 260_000),
      kind,
      actor: kind === 'model' ? 'web-prod.yaml (jon)' : kind === 'operator' ? 'maria' : 'agent',
      subject:
        kind === 'source'
          ? 'etcd'
          : kind === 'guard'
            ? 'directory'
            : (state.sets[(index * 13) % state.sets.length]?.group ?? 'tag:web'),
      text: texts[kind],
      groups: kind === 'model' ? ['tag:web', 'tag:web-prod', 'tag:prod'] : [],
      ...(kind === 'run' ? { run: `r-${2_041 - index}` } : {}),
    };
  });
}

function auditOf(): AuditEntry[] {
  const verbs = ['sets.reprogram', 'leftovers.cleanup', 'held.release', 'overrides.add', 'plan.apply'];
  return Array.from({ length: 90 }, (_, index) => ({
    id: `a${index}`,
    at: ago(300_000 + index * 1_900_000),
    actor: index % 3 === 0 ? 'maria' : index % 3 === 1 ? 'jon' : 'root',
    role: index % 9 === 4 ? 'viewer' : 'operator',
    ...(index % 3 === 2 ? { claimed: 'maria' } : {}),
    verb: verbs[index % verbs.length] ?? 'plan.apply',
    input: '{"groups":["tag:web"],"reason":"ticket 4711"}',
    result: index % 9 === 4 ? 'not-permitted' : `succeeded run r-${2_000 - index}`,
    via: index % 3 === 2 ? 'admin-socket' : 'gateway',
    requestId: `q${(index * 7_919).toString(36)}`,
    durationMs: 12 + index,
  }));
}

/** What operators do and what is kept of it: held, holds, overrides, pins, changes, audit. */
export function safetyHandlers(state: MockState): Pick<Handlers, SafetyVerbs> {
  return {
    'held.list': () => state.held,
    'held.release': ({ id, digest }) => {
      const held = state.held.find((one) => one.id === id);
      if (held === undefined) throw new ApiError('not-found', `Nothing is held as ${id}.`);
      if (digest !== undefined && digest !== held.digest)
        throw new ApiError('digest-stale', 'What is held changed since it was shown.');
      state.held = state.held.filter((one) => one.id !== id);
      state.events.emit({ type: 'held-changed' });
      return startRun(
        state,
        state.sets.filter((set) => set.group === 'tag:search'),
        { cause: 'release', isRewrite: false },
      );
    },
    'held.reject': ({ id }) => {
      const held = state.held.find((one) => one.id === id);
      if (held === undefined) throw new ApiError('not-found', `Nothing is held as ${id}.`);
      const rejected = { ...held, state: 'rejected' as const };
      state.held = state.held.map((one) => (one.id === id ? rejected : one));
      state.events.emit({ type: 'held-changed' });
      return rejected;
    },
    'holds.list': () => state.holds,
    'holds.add': (input) => {
      const groups = input.all ? [null] : input.groups;
      state.holds = [
        ...state.holds,
        ...groups.map((group, index) => ({
          id: `h${state.holds.length + index + 2}`,
          group,
          by: 'local',
          reason: input.reason,
          at: new Date().toISOString(),
          until: until(input.forSeconds),
        })),
      ];
      state.events.emit({ type: 'holds-changed' });
      return state.holds;
    },
    'holds.remove': ({ groups }) => {
      state.holds =
        groups.length === 0 ? [] : state.holds.filter((hold) => hold.group === null || !groups.includes(hold.group));
      state.events.emit({ type: 'holds-changed' });
      return state.holds;
    },
    'overrides.list': () => state.overrides,
    'overrides.add': (input) => {
      const override = {
        id: `o${state.overrides.length + 3}`,
        kind: input.kind,
        group: input.group,
        address: input.address,
        by: 'local',
        reason: input.reason,
        at: new Date().toISOString(),
        until: until(input.forSeconds),
      };
      state.overrides = [...state.overrides, override];
      state.events.emit({ type: 'overrides-changed' });
      return override;
    },
    'overrides.remove': ({ id }) => {
      state.overrides = state.overrides.filter((override) => override.id !== id);
      state.events.emit({ type: 'overrides-changed' });
      return state.overrides;
    },
    'pins.list': () => state.pins,
    'pins.add': ({ group, reason }) => {
      const pin = { group, referrer: 'pin/local', by: 'local', reason, at: new Date().toISOString() };
      state.pins = [...state.pins, pin];
      state.events.emit({ type: 'pins-changed' });
      return pin;
    },
    'pins.remove': ({ group }) => {
      const pin = state.pins.find((one) => one.group === group);
      state.pins = state.pins.filter((one) => one.group !== group);
      state.events.emit({ type: 'pins-changed' });
      return pin ?? { group, referrer: 'pin/local', by: 'local', reason: '', at: new Date().toISOString() };
    },
    'changes.list': (input) => {
      const rows = changesOf(state).filter(
        (change) =>
          (input.kind === undefined || change.kind === input.kind) &&
          (input.since === undefined || change.at >= input.since),
      );
      return pageOf(
        matching(rows, input.filter, (change) => `${change.subject} ${change.text} ${change.actor}`),
        input,
      );
    },
    'audit.list': (input) =>
      pageOf(
        state.sets.length === 0
          ? []
          : matching(auditOf(), input.filter, (entry) => `${entry.actor} ${entry.verb} ${entry.input} ${entry.result}`),
        input,
      ),
    'audit.verify': () => ({
      ok: true,
      entries: 90,
      head: 'd'.repeat(64),
      detail: 'Every entry follows from the one before it.',
    }),
  };
}
