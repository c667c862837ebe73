import { ApiError, type Handlers, type Run, verbs } from '@setkeeper/api';
import { exportRestore } from '../boot/export-restore.ts';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { fileProbes } from '../doctor/file-probes.ts';
import { hostProbes } from '../doctor/host-probes.ts';
import { kernelProbes } from '../doctor/kernel-probes.ts';
import { modelProbes } from '../doctor/model-probes.ts';
import type { Engine } from '../engine/engine.ts';
import type { OperatorActs } from '../engine/operator-acts.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { HolderReader } from '../holders/holder-reading.ts';
import { preflight } from '../kernel/preflight.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { isForHost } from '../model/host-pattern.ts';
import type { HostSide } from '../observe/host-side.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { restoreLine } from '../restore/restore-line.ts';
import { auditHandlers } from '../server/handlers/audit.ts';
import { changesHandlers } from '../server/handlers/changes.ts';
import { doctorHandlers } from '../server/handlers/doctor.ts';
import { heldHandlers } from '../server/handlers/held.ts';
import { holdsHandlers } from '../server/handlers/holds.ts';
import { metricsHandlers } from '../server/handlers/metrics.ts';
import { modelHandlers } from '../server/handlers/model.ts';
import { overridesHandlers } from '../server/handlers/overrides.ts';
import { pinsHandlers } from '../server/handlers/pins.ts';
import { planHandlers } from '../server/handlers/plan.ts';
import { runsHandlers } from '../server/handlers/runs.ts';
import { sessionHandlers } from '../server/handlers/session.ts';
import { setsHandlers } from '../server/handlers/sets.ts';
import { sourcesHandlers } from '../server/handlers/sources.ts';
import { statusHandlers } from '../server/handlers/status.ts';
import type { Merge } from '../sources/merge.ts';
import { agentStatus } from '../status/agent-status.ts';
import type { RunCharts } from '../status/run-charts.ts';
import type { Store } from '../store/store.ts';
import { sourceAcceptance } from './accept-source.ts';
import type { AgentView, OtherCounts } from './agent-view.ts';
import type { KernelSide } from './kernel-side.ts';
import type { ModelFlow } from './model-flow.ts';
import type { ModelSide } from './model-side.ts';
import { observingHandlers } from './observing-handlers.ts';
import type { OperatorSide } from './operator-side.ts';

/** Everything that verbs are answered from. */
export interface AgentParts {
  readonly config: AgentConfig;
  readonly host: string;
  readonly version: string;
  readonly startedAt: number;
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
  readonly counts: () => OtherCounts;
  readonly lastRun: () => Run | null;
}

/** One handler a verb. */
export function agentHandlers(parts: AgentParts): Handlers {
  const { config, host, clock, kernel, model, engine, acts, flow, store, events, problems, view } = parts;
  const { merge, membership } = model;
  const now = (): number => clock.now();
  const known: Partial<Handlers> = {
    ...statusHandlers({
      status: () =>
        agentStatus({
          config,
          host,
          version: parts.version,
          startedAt: parts.startedAt,
          epoch: events.epoch,
          now,
          preflight: kernel.preflight,
          iptables: () => kernel.iptables,
          totals: view.totals,
          merge,
          problems: () => problems.list(),
          held: view.held,
          counts: () => {
            const { holds, overrides, leftovers, leaks } = parts.counts();
            return { holds, overrides, leftovers, leaks };
          },
          lastRun: parts.lastRun,
          isRunning: () => engine.isRunning,
          isStarted: () => engine.state.isOpen && engine.state.isAdopted,
          headers: () => parts.hostSide.readAt(),
        }),
      settled: () => (config.mode === 'observe' ? observingSettled(parts.hostSide) : engine.settled()),
      charts: (minutes) => parts.charts.read(minutes),
    }),
    ...setsHandlers({ engine, acts, holders: parts.holders }),
    ...parts.hostSide.handlers,
    ...holdsHandlers({ holds: parts.operators.holds, engine }),
    ...overridesHandlers({ overrides: parts.operators.overrides, engine }),
    ...pinsHandlers(parts.operators),
    ...planHandlers({ engine, acts }),
    ...heldHandlers({ engine, acts }),
    ...runsHandlers({ runs: store.runs, now }),
    ...changesHandlers({ changes: store.changes, now }),
    ...auditHandlers({ audit: store.audit, now }),
    ...sessionHandlers(),
    ...doctorHandlers(() => [
      ...kernelProbes(
        () =>
          preflight({
            launcher: kernel.launcher,
            ipset: config.ipset.path,
            probeName: null,
            timeoutSeconds: config.ipset.timeoutSeconds,
          }),
        kernel.preflight,
        config.mode,
      ),
      ...modelProbes({ config, host, merge, references: () => referencesHere(merge, host) }),
      ...fileProbes(config),
      ...hostProbes({
        readHolders: () => parts.holders.read(),
        problems: () => problems.list(),
        prefix: config.sets.prefix,
      }),
    ]),
    ...metricsHandlers(() => parts.metrics.registry.metrics()),
    ...sourcesHandlers({
      merge,
      sources: model.sources,
      clock,
      settled: () => flow.idle(),
      onAccepted: sourceAcceptance({ engine, acts, store, problems, sources: model.sources }),
    }),
    ...modelHandlers({
      merge,
      membership,
      host,
      clock,
      prefix: config.sets.prefix,
      families: config.sets.families,
      referrersOf: (group) => engine.state.references.of(group).map(({ referrer }) => referrer),
      referencedGroups: () => engine.state.references.groups(),
      referencesRevision: () => engine.state.modelRevision,
      sinceOf: (key) => store.changes.objectChanges(key, 1)[0]?.at ?? null,
      declared: model.declared,
      parser: model.textParser,
      settled: () => flow.idle(),
      exportRestore: () => {
        if (!engine.state.isAdopted) throw new ApiError('not-ready', "The kernel's sets were not read yet.");
        return exportRestore(engine.state.registry.all(), restoreLine);
      },
    }),
  };
  const missing = Object.values(verbs).filter(({ name }) => !(name in known));
  const unanswered = missing.map(({ name }) => [
    name,
    () => {
      throw new ApiError('not-ready', `This agent does not answer ${name} yet.`, { subject: name });
    },
  ]);
  const handlers = { ...Object.fromEntries(unanswered), ...known } as Handlers;
  return config.mode === 'observe' ? observingHandlers(handlers) : handlers;
}

/** An agent that observes has settled when it has looked once. */
const observingSettled = (hostSide: HostSide) => ({
  settled: hostSide.readAt() !== null,
  failed: [],
  held: 0,
  waitingFor: [],
});

function referencesHere(merge: Merge, host: string): { readonly here: number; readonly all: number } {
  const documents = [...merge.records('references')].flatMap(({ object }) =>
    object.kind === 'references' ? [object] : [],
  );
  return { here: documents.filter(({ hosts }) => isForHost(hosts, host)).length, all: documents.length };
}
