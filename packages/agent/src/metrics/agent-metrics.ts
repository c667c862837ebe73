import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the agent counts while it works (CONTRACT section 8). No set, member or host name is ever a label. */
export interface AgentMetrics {
  readonly registry: Registry;
  readonly runs: Counter<'result'>;
  readonly runSeconds: Histogram;
  readonly eventToKernelSeconds: Histogram;
  readonly operations: Counter<'op' | 'outcome'>;
  readonly rejected: Counter<'code'>;
  readonly restoreChildren: Counter<'reason'>;
  readonly readBacks: Counter<'kind' | 'result'>;
  readonly readBackSeconds: Histogram<'kind'>;
  readonly driftMembers: Counter;
  readonly sourceReconnects: Counter<'source'>;
  readonly cleanupDestroyed: Counter<'result'>;
  readonly lastSuccess: Gauge;
  readonly lastReadBack: Gauge;
}

/** From a tenth of a millisecond (one line into a warm child) to minutes (a million members). */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function createAgentMetrics(): AgentMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  return {
    registry,
    runs: counter('setkeeper_runs_total', 'Runs by how they ended.', ['result']),
    runSeconds: histogram('setkeeper_run_duration_seconds', 'How long runs took.'),
    eventToKernelSeconds: histogram(
      'setkeeper_event_to_kernel_seconds',
      'From a model change to the end of the run that brought it into the kernel.',
    ),
    operations: counter('setkeeper_operations_total', 'Operations by what became of them.', ['op', 'outcome']),
    rejected: counter('setkeeper_rejected_total', 'Operations that the kernel rejected, by the class of its words.', [
      'code',
    ]),
    restoreChildren: counter('setkeeper_restore_children_total', 'Restore processes started, by why.', ['reason']),
    readBacks: counter('setkeeper_readbacks_total', 'Readings of the kernel.', ['kind', 'result']),
    readBackSeconds: histogram('setkeeper_readback_seconds', 'How long readings of the kernel took.', ['kind']),
    driftMembers: counter('setkeeper_drift_members_total', 'Members that somebody else added or removed.'),
    sourceReconnects: counter('setkeeper_source_reconnects_total', 'Times a source came back after it was gone.', [
      'source',
    ]),
    cleanupDestroyed: counter('setkeeper_cleanup_destroyed_total', 'Leftover sets that clean-up tried to destroy.', [
      'result',
    ]),
    lastSuccess: gauge('setkeeper_last_success_timestamp_seconds', 'When a run last succeeded.'),
    lastReadBack: gauge('setkeeper_last_readback_timestamp_seconds', 'When the kernel was last read.'),
  };
}
