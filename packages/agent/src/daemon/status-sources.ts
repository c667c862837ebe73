import type { StatusSources } from '../status/agent-status.ts';
import type { AgentParts } from './agent-parts.ts';

/** What a status is made of, from the agent's parts. */
export function statusSources(parts: AgentParts): StatusSources {
  const { config, host, clock, kernel, model, engine, events, problems, view } = parts;
  return {
    config,
    host,
    version: parts.version,
    startedAt: parts.startedAt,
    epoch: events.epoch,
    now: () => clock.now(),
    preflight: kernel.preflight,
    iptables: () => kernel.iptables,
    totals: view.totals,
    merge: model.merge,
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
  };
}
