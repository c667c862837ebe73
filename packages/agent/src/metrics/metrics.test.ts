import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { storeBench } from '../store/testing/temporary-store.ts';
import { createAgentMetrics } from './agent-metrics.ts';
import { createChangeClock } from './change-clock.ts';
import { meteredExecutor } from './metered-executor.ts';
import { meteredReader } from './metered-reader.ts';
import { meteredStore } from './metered-store.ts';
import { type AgentSnapshot, registerStateGauges } from './state-gauges.ts';

/** Every name that CONTRACT section 8 promises. */
const NAMES =
  `setkeeper_build_info setkeeper_sets setkeeper_set_members setkeeper_over_capacity_members setkeeper_parked_operations
setkeeper_held_changes setkeeper_holds setkeeper_runs_total setkeeper_run_duration_seconds setkeeper_event_to_kernel_seconds
setkeeper_operations_total setkeeper_rejected_total setkeeper_restore_children_total setkeeper_readbacks_total
setkeeper_drift_members_total setkeeper_last_success_timestamp_seconds setkeeper_last_readback_timestamp_seconds
setkeeper_source_state setkeeper_source_reconnects_total setkeeper_problems setkeeper_leftover_sets
setkeeper_cleanup_destroyed_total setkeeper_unexplained_references setkeeper_sets_no_longer_used
setkeeper_event_loop_lag_seconds`.split(/\s+/u);

const snapshot: AgentSnapshot = {
  sets: new Map([
    [
      'sync',
      new Map([
        ['in-sync', 7],
        ['dirty', 0],
      ]),
    ],
  ]),
  members: { inet: 10, inet6: 4 },
  overCapacity: 3,
  parked: 2,
  noLongerUsed: 1,
  held: 1,
  holds: 0,
  leftovers: 5,
  unexplained: 6,
  sources: [{ name: 'model.d', state: 'stale' }],
  problems: new Map([['drift', 2]]),
};

const lineOf = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`${start} `));

describe('the metrics', () => {
  it('have every promised name, and no set, member or host as a label', async () => {
    const metrics = createAgentMetrics();
    const stop = registerStateGauges(metrics, { version: '1', node: 'v24', ipset: '7.17' }, () => snapshot);
    const text = await metrics.registry.metrics();
    const types = [...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name);
    expect(types).toEqual(expect.arrayContaining(NAMES));
    const labels = new Set([...text.matchAll(/[{,](\w+)="/gu)].map(([, label]) => label));
    expect([...labels].filter((label) => ['set', 'group', 'member', 'host', 'name'].includes(label ?? ''))).toEqual([]);
    stop();
  });

  it('tell the state of one moment, read once a reading', async () => {
    const metrics = createAgentMetrics();
    let reads = 0;
    const stop = registerStateGauges(metrics, { version: '1', node: 'v24', ipset: '7.17' }, () => {
      reads += 1;
      return snapshot;
    });
    const text = await metrics.registry.metrics();
    expect(reads).toBe(1);
    expect(lineOf(text, 'setkeeper_sets{axis="sync",value="in-sync"}')).toMatch(/ 7$/u);
    expect(lineOf(text, 'setkeeper_source_state{source="model.d",state="stale"}')).toMatch(/ 1$/u);
    expect(lineOf(text, 'setkeeper_source_state{source="model.d",state="current"}')).toMatch(/ 0$/u);
    expect(lineOf(text, 'setkeeper_problems{code="drift"}')).toMatch(/ 2$/u);
    stop();
  });

  it('count each operation of a run once, by what became of it', async () => {
    const metrics = createAgentMetrics();
    const section = {
      group: null,
      family: null,
      header: {} as never,
      temp: 'sk-tmp-1' as never,
      createMain: true,
      before: 0,
      after: 0,
      dels: [],
    };
    const plan = {
      digest: '' as never,
      modelRevision: 1,
      lines: 12,
      sections: [
        { ...section, set: 'a' as never, how: 'delta' as const, dels: ['1' as never], adds: ['2', '3'] as never[] },
        { ...section, set: 'b' as never, how: 'rewrite' as const, adds: ['2', '3'] as never[] },
        { ...section, set: 'c' as never, how: 'destroy' as const, adds: [] },
        { ...section, set: 'd' as never, how: 'create' as const, adds: [] },
      ],
    };
    const executor = meteredExecutor(
      {
        execute: async () => ({
          exceptions: [
            { line: 3, outcome: 'rejected', code: 'full' },
            { line: 11, outcome: 'rejected', code: 'set-in-use' },
            { line: 12, outcome: 'not-run' },
          ],
          counts: { applied: 9, rejected: 2, skipped: 0, notRun: 1 },
          attempts: 1,
          unsure: [],
          leftTemporary: [],
        }),
        recycle: () => {},
        close: async () => {},
      },
      metrics,
    );
    await executor.execute(plan, {});
    const counted = (await metrics.operations.get()).values.map(
      ({ labels, value }) => `${labels.op} ${labels.outcome} ${value}`,
    );
    expect(counted.toSorted()).toEqual([
      'add applied 3',
      'add rejected 1',
      'create applied 3',
      'create not-run 1',
      'del applied 1',
      'destroy applied 1',
      'destroy rejected 1',
      'swap applied 1',
    ]);
    expect((await metrics.rejected.get()).values.map(({ labels }) => labels.code).toSorted()).toEqual([
      'full',
      'set-in-use',
    ]);
  });

  it('count a million operations that were not run by their commands, without asking each', async () => {
    const metrics = createAgentMetrics();
    const adds = new Array<never>(1_000_000).fill('192.0.2.1' as never);
    const section = {
      group: null,
      family: null,
      header: {} as never,
      createMain: false,
      before: 0,
      after: 0,
      dels: [],
    };
    const sections = ['a', 'b'].map((set) => ({
      ...{ ...section, set: set as never, how: 'rewrite' as const, temp: `sk-tmp-${set}` as never, adds },
    }));
    const executor = meteredExecutor(
      {
        execute: async () => ({
          exceptions: [{ line: 1_000_000, lastLine: 2_000_006, outcome: 'not-run' }],
          counts: { applied: 999_999, rejected: 0, skipped: 0, notRun: 1_000_007 },
          ...{ attempts: 1, unsure: [], leftTemporary: [] },
        }),
        recycle: () => {},
        close: async () => {},
      },
      metrics,
    );
    await executor.execute({ digest: '' as never, modelRevision: 1, lines: 2_000_006, sections }, {});
    const counted = (await metrics.operations.get()).values.map(
      ({ labels, value }) => `${labels.op} ${labels.outcome} ${value}`,
    );
    expect(counted.toSorted()).toEqual([
      'add applied 999998',
      'add not-run 1000002',
      'create applied 1',
      'create not-run 1',
      'destroy not-run 2',
      'swap not-run 2',
    ]);
  });

  it('measure a change from when it came to the end of the run that took it along', async () => {
    const metrics = createAgentMetrics();
    const clock = createFakeClock();
    const bench = storeBench();
    const changes = createChangeClock(clock);
    const store = meteredStore(bench.open(), metrics, { changes, clock });
    const run = {
      id: 'r',
      at: '2026-06-01T12:00:00Z',
      cause: 'model',
      actor: 'a',
      phase: 'failed',
      sets: 0,
      operations: { applied: 0, rejected: 0, skipped: 0, notRun: 0 },
      lines: 0,
      attempts: 1,
      durationMs: 5,
      digest: '',
    } as const;
    changes.changeCame();
    clock.advance(1_000);
    store.runs.begin({ ...run, phase: 'running' }, []);
    changes.changeCame();
    clock.advance(1_000);
    store.runs.finish(run, [], [], new Map());
    store.runs.begin({ ...run, phase: 'running' }, []);
    clock.advance(1_000);
    store.runs.finish({ ...run, phase: 'succeeded' }, [], [], new Map());
    const values = (await metrics.eventToKernelSeconds.get()).values;
    expect(values.find(({ metricName }) => metricName?.endsWith('_sum'))?.value).toBe(3 + 2);
    expect(values.find(({ metricName }) => metricName?.endsWith('_count'))?.value).toBe(2);
    expect((await metrics.runs.get()).values.map(({ labels, value }) => `${labels.result} ${value}`)).toEqual([
      'failed 1',
      'succeeded 1',
    ]);
    expect((await metrics.lastSuccess.get()).values[0]?.value).toBe(clock.now() / 1000);
    await store.close();
  });

  it('count readings by kind and by what was wrong', async () => {
    const metrics = createAgentMetrics();
    const fault = { ok: false as const, at: 2_000, fault: { code: 'permission' as const, message: '', raw: '' } };
    const reader = meteredReader(
      {
        headers: async () => ({ ok: true, value: [], at: 1_000, warnings: [] }),
        header: async () => fault,
        members: async () => fault,
        everything: async () => fault,
        dumps: async () => [],
      },
      metrics,
    );
    await reader.headers();
    await reader.header('a' as never);
    const counted = (await metrics.readBacks.get()).values.map(({ labels }) => `${labels.kind} ${labels.result}`);
    expect(counted).toEqual(['headers ok', 'header permission']);
    expect((await metrics.lastReadBack.get()).values[0]?.value).toBe(1);
  });
});
