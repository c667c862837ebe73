import type { ProblemCode } from '@setkeeper/api';
import type { AgentConfig } from '../config/agent-config.ts';
import type { Engine } from '../engine/engine.ts';
import { heldRemoves } from '../engine/held-removes.ts';
import { useOf } from '../engine/views/set-row.ts';
import type { AgentSnapshot } from '../metrics/state-gauges.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { Merge } from '../sources/merge.ts';
import { type SetTotals, setTotals } from '../status/set-totals.ts';

/** The agent in numbers, for status and metrics. */
export interface AgentView {
  totals(): SetTotals;
  held(): { readonly changes: number; readonly removes: number };
  snapshot(merge: Merge): AgentSnapshot;
}

export interface AgentViewOptions {
  readonly engine: Engine;
  readonly config: AgentConfig;
  readonly problems: ProblemBoard;
  /** What the parts beside the engine count; absent: there is none of it. */
  readonly counts?: () => OtherCounts;
}

export interface OtherCounts {
  readonly holds: number;
  readonly overrides: number;
  readonly leftovers: number;
  readonly leaks: number;
  readonly unexplained: number;
}

/** Every set is counted for a status: 45 ms at 60,000 of them. While nothing changes the sum is good for so long. */
const TOTALS_MS = 1_000;

export function agentView(options: AgentViewOptions): AgentView {
  const { engine, problems } = options;
  let counted: { readonly stamp: number; readonly at: number; readonly totals: SetTotals } | null = null;
  const totals = (): SetTotals => {
    const { stamp, ports, registry } = engine.state;
    const at = ports.clock.monotonic();
    if (counted !== null && counted.stamp === stamp && at - counted.at < TOTALS_MS) return counted.totals;
    counted = {
      stamp,
      at,
      totals: setTotals(registry.all(), { useOf, isOnHold: (set) => engine.state.isOnHold(set.group) }),
    };
    return counted.totals;
  };

  const held = (): { readonly changes: number; readonly removes: number } => {
    const changes = engine.state.held.all().filter(({ state }) => state === 'held');
    const removes = changes.flatMap((change) => change.sets.map((held) => heldRemoves(engine.state, change, held)));
    return { changes: changes.length, removes: removes.reduce((sum, each) => sum + each, 0) };
  };

  return {
    totals,
    held,
    snapshot: (merge) => {
      const now = totals();
      const counts = options.counts?.();
      return {
        sets: now.axes,
        members: now.members,
        overCapacity: now.overCapacity,
        parked: now.parked,
        noLongerUsed: now.noLongerUsed,
        held: held().changes,
        holds: counts?.holds ?? 0,
        leftovers: counts?.leftovers ?? 0,
        unexplained: counts?.unexplained ?? 0,
        sources: merge.sources(),
        problems: countByCode(problems),
      };
    },
  };
}

function countByCode(problems: ProblemBoard): ReadonlyMap<ProblemCode, number> {
  const counts = new Map<ProblemCode, number>();
  for (const { code } of problems.list()) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
