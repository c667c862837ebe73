import type { Run } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { Engine } from '../engine/engine.ts';
import type { OperatorActs } from '../engine/operator-acts.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { HolderReader } from '../holders/holder-reading.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import type { HostSide } from '../observe/host-side.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { StatementMemory } from '../server/statement-memory.ts';
import type { RunCharts } from '../status/run-charts.ts';
import type { Store } from '../store/store.ts';
import type { AgentView, OtherCounts } from './agent-view.ts';
import type { KernelSide } from './kernel-side.ts';
import type { ModelFlow } from './model-flow.ts';
import type { ModelSide } from './model-side.ts';
import type { OperatorSide } from './operator-side.ts';

/** Everything that verbs are answered from. */
export interface AgentParts {
  readonly config: AgentConfig;
  readonly host: string;
  readonly version: string;
  readonly startedAt: number;
  /** systemd started it, and waits for its word. */
  readonly isService: boolean;
  readonly clock: Clock;
  readonly kernel: KernelSide;
  readonly model: ModelSide;
  readonly engine: Engine;
  readonly acts: OperatorActs;
  readonly flow: ModelFlow;
  readonly store: Store;
  readonly events: EventStream;
  readonly problems: ProblemBoard;
  readonly metrics: AgentMetrics;
  readonly charts: RunCharts;
  readonly view: AgentView;
  readonly hostSide: HostSide;
  readonly operators: OperatorSide;
  readonly holders: HolderReader;
  readonly statements: StatementMemory;
  readonly counts: () => OtherCounts;
  readonly lastRun: () => Run | null;
}
