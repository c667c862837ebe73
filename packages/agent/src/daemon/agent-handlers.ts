import { ApiError, type Handlers } from '@setkeeper/api';
import { exportRestore } from '../boot/export-restore.ts';
import { ParkedByRun } from '../engine/parked-by-run.ts';
import type { HostSide } from '../observe/host-side.ts';
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
import { agentStatus } from '../status/agent-status.ts';
import { sourceAcceptance } from './accept-source.ts';
import type { AgentParts } from './agent-parts.ts';
import { agentProbes } from './agent-probes.ts';
import { observingHandlers } from './observing-handlers.ts';
import { statusSources } from './status-sources.ts';

/** One handler a verb; that none is missing, the compiler says. */
export function agentHandlers(parts: AgentParts): Handlers {
  const { config, host, clock, model, engine, acts, flow, store, problems } = parts;
  const { merge, membership } = model;
  const now = (): number => clock.now();
  const handlers: Handlers = {
    ...statusHandlers({
      status: () => agentStatus(statusSources(parts)),
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
    ...runsHandlers({ runs: store.runs, now, retryable: (run) => new ParkedByRun(engine.state, run).count }),
    ...changesHandlers({ changes: store.changes, now }),
    ...auditHandlers({ audit: store.audit, now }),
    ...sessionHandlers(),
    ...doctorHandlers(() => agentProbes(parts)),
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
      referencesRevision: () => engine.state.references.revision,
      sinceOf: (key) => store.changes.objectChanges(key, 1)[0]?.at ?? null,
      declared: model.declared,
      parser: model.textParser,
      settled: () => flow.idle(),
      exportRestore: () => {
        if (!engine.state.isAdopted) throw new ApiError('not-ready', "The kernel's sets were not read yet.");
        return exportRestore(engine.state.registry.all(), restoreLine, (act) => engine.still(act));
      },
    }),
  };
  return config.mode === 'observe' ? observingHandlers(handlers) : handlers;
}

/** An agent that observes has settled when it has looked once. */
const observingSettled = (hostSide: HostSide) => ({
  settled: hostSide.readAt() !== null,
  failed: [],
  held: 0,
  waitingFor: [],
});
