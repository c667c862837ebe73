import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProblemCode } from '@setkeeper/api';
import { Gauge } from 'prom-client';
import type { AgentMetrics } from './agent-metrics.ts';

/** What the agent is in at this moment, as far as metrics tell it. */
export interface AgentSnapshot {
  /** Sets by axis (`phase`, `sync`, `result`, `use`) and value; every value of an axis is there, also with 0. */
  readonly sets: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly members: { readonly inet: number; readonly inet6: number };
  readonly overCapacity: number;
  readonly parked: number;
  readonly noLongerUsed: number;
  readonly held: number;
  readonly holds: number;
  readonly leftovers: number;
  readonly unexplained: number;
  readonly sources: readonly { readonly name: string; readonly state: 'current' | 'stale' | 'missing' }[];
  readonly problems: ReadonlyMap<ProblemCode, number>;
}

export interface BuildInfo {
  readonly version: string;
  readonly node: string;
  readonly ipset: string;
}

const STATES = ['current', 'stale', 'missing'] as const;
const NANOSECONDS = 1e9;

/** Gauges that are computed when somebody reads the metrics. Returns what ends the measuring of the event loop. */
export function registerStateGauges(metrics: AgentMetrics, info: BuildInfo, snapshot: () => AgentSnapshot): () => void {
  const registers = [metrics.registry];
  const build = new Gauge({
    name: 'setkeeper_build_info',
    help: 'Which Setkeeper this is.',
    labelNames: ['version', 'node', 'ipset'],
    registers,
  });
  build.set({ ...info }, 1);

  // One reading of the metrics asks for all gauges in one go: they tell of the same moment.
  let known: AgentSnapshot | null = null;
  const once = (): AgentSnapshot => {
    if (known === null) setImmediate(() => (known = null));
    known ??= snapshot();
    return known;
  };
  const one = (name: string, help: string, read: (now: AgentSnapshot) => number): void => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read(once())) });
  };
  const many = (
    name: string,
    help: string,
    labelNames: string[],
    read: (now: AgentSnapshot) => Iterable<readonly [Record<string, string>, number]>,
  ): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect: () => {
        gauge.reset();
        for (const [labels, value] of read(once())) gauge.set(labels, value);
      },
    });
  };

  many('setkeeper_sets', 'Managed sets by phase, sync, last result and use.', ['axis', 'value'], function* ({ sets }) {
    for (const [axis, values] of sets) for (const [value, count] of values) yield [{ axis, value }, count];
  });
  many('setkeeper_set_members', 'Members programmed in managed sets.', ['family'], ({ members }) => [
    [{ family: 'inet' }, members.inet],
    [{ family: 'inet6' }, members.inet6],
  ]);
  one('setkeeper_over_capacity_members', 'Members for which sets have no room.', (now) => now.overCapacity);
  one(
    'setkeeper_parked_operations',
    'Operations that the kernel rejected and that wait for their retry.',
    (now) => now.parked,
  );
  one('setkeeper_held_changes', 'Changes that the guard stopped.', (now) => now.held);
  one('setkeeper_holds', 'Stops of programming by operators.', (now) => now.holds);
  one('setkeeper_leftover_sets', 'Sets of ours that no managed set owns.', (now) => now.leftovers);
  one('setkeeper_unexplained_references', 'Kernel references for which no holder was found.', (now) => now.unexplained);
  one('setkeeper_sets_no_longer_used', 'Live sets whose kernel references fell to 0.', (now) => now.noLongerUsed);
  many('setkeeper_source_state', '1 for the state that a source is in.', ['source', 'state'], function* ({ sources }) {
    for (const source of sources)
      for (const state of STATES) yield [{ source: source.name, state }, source.state === state ? 1 : 0];
  });
  many('setkeeper_problems', 'Problems that stand now.', ['code'], function* ({ problems }) {
    for (const [code, count] of problems) yield [{ code }, count];
  });

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const lag = new Gauge({
    name: 'setkeeper_event_loop_lag_seconds',
    help: 'The longest time since the last reading in which the agent did nothing else.',
    registers,
    collect: () => {
      lag.set(delay.max / NANOSECONDS);
      delay.reset();
    },
  });
  return () => delay.disable();
}
