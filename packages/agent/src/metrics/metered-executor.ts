import type { Plan } from '../plan/plan.ts';
import { PlanIndex } from '../plan/plan-lines.ts';
import { commandsOfSection } from '../plan/section-operations.ts';
import type { Execution, RestoreExecutor } from '../restore/execution.ts';
import type { AgentMetrics } from './agent-metrics.ts';

/** An executor that counts what became of each operation. Costs O(sections + exceptions) a run, never O(lines). */
export function meteredExecutor(executor: RestoreExecutor, metrics: AgentMetrics): RestoreExecutor {
  return {
    ...executor,
    execute: async (plan, options) => {
      const execution = await executor.execute(plan, options);
      countOperations(plan, execution, metrics);
      return execution;
    },
  };
}

function countOperations(plan: Plan, execution: Execution, metrics: AgentMetrics): void {
  const applied = new Map<string, number>();
  const count = (op: string, by: number): void => {
    applied.set(op, (applied.get(op) ?? 0) + by);
  };
  for (const section of plan.sections) for (const [op, lines] of commandsOfSection(section)) count(op, lines);
  const index = new PlanIndex(plan);
  for (const { line, lastLine = line, outcome, code } of execution.exceptions) {
    for (const [op, lines] of commandsBetween(index, line, lastLine)) {
      count(op, -lines);
      metrics.operations.inc({ op, outcome }, lines);
    }
    if (outcome === 'rejected') metrics.rejected.inc({ code: code ?? 'unknown' }, lastLine - line + 1);
  }
  for (const [op, by] of applied) if (by > 0) metrics.operations.inc({ op, outcome: 'applied' }, by);
}

/** The commands of some lines, and how many lines each has. O(sections touched). */
function* commandsBetween(index: PlanIndex, line: number, lastLine: number): Iterable<readonly [string, number]> {
  let from = line;
  while (from <= lastLine) {
    const at = index.at(from);
    if (at === undefined) return;
    let end = from - at.index;
    for (const [op, lines] of commandsOfSection(at.section)) {
      const start = Math.max(end, from);
      end += lines;
      const inside = Math.min(end, lastLine + 1) - start;
      if (inside > 0) yield [op, inside];
    }
    from = end;
  }
}
