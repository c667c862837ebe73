import type { Run } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { AgentMetrics } from './agent-metrics.ts';
import type { ChangeClock } from './change-clock.ts';

/** Who hears of what is recorded. */
export interface StoreEars {
  readonly changes: ChangeClock;
  readonly clock: Clock;
  /** A run began or ended. */
  readonly onRun?: (run: Run) => void;
  /** How long a change took into the kernel. */
  readonly onLatency?: (seconds: number) => void;
}

/** A store that counts runs and drift as they are recorded. */
export function meteredStore(store: Store, metrics: AgentMetrics, ears: StoreEars): Store {
  const { changes, clock, onRun, onLatency } = ears;
  const ended = (run: Run): void => {
    metrics.runs.inc({ result: run.phase });
    metrics.runSeconds.observe(run.durationMs / 1000);
    if (run.phase === 'succeeded') metrics.lastSuccess.set(clock.now() / 1000);
    if (run.cause !== 'cleanup') return;
    metrics.cleanupDestroyed.inc({ result: 'destroyed' }, run.operations.applied);
    metrics.cleanupDestroyed.inc({ result: 'refused' }, run.operations.rejected);
  };
  return {
    lastGood: store.lastGood,
    facts: store.facts,
    audit: store.audit,
    changes: store.changes,
    get wasSetAside() {
      return store.wasSetAside;
    },
    acknowledgeSetAside: () => store.acknowledgeSetAside(),
    close: () => store.close(),
    drift: {
      ...store.drift,
      append: (entry) => {
        metrics.driftMembers.inc(entry.added + entry.removed);
        store.drift.append(entry);
      },
    },
    runs: {
      ...store.runs,
      begin: (run, script) => {
        changes.runBegan();
        onRun?.(run);
        store.runs.begin(run, script);
      },
      finish: (run, exceptions, sections, readBack) => {
        for (const seconds of changes.runEnded(run.phase === 'succeeded' || run.phase === 'partly')) {
          metrics.eventToKernelSeconds.observe(seconds);
          onLatency?.(seconds);
        }
        ended(run);
        onRun?.(run);
        store.runs.finish(run, exceptions, sections, readBack);
      },
    },
  };
}
