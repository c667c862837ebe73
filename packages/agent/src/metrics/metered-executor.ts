import type { Plan } from '../plan/plan.ts';
import { PlanIndex } from '../plan/plan-lines.ts';
import { operationOfSection, sectionLines } from '../plan/section-operations.ts';
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
  for (const section of plan.sections) {
    count('add', section.adds.length);
    if (section.how === 'delta') count('del', section.dels.length);
    // The rest are few: creates, a swap, destroys.
    const lines = sectionLines(section);
    const members = section.adds.length + (section.how === 'delta' ? section.dels.length : 0);
    if (members === 0) for (let index = 0; index < lines; index += 1) count(operationOfSection(section, index).op, 1);
    else
      for (const index of outsideMembers(section.how, section.recreate === true, members, lines))
        count(operationOfSection(section, index).op, 1);
  }
  const index = new PlanIndex(plan);
  for (const exception of execution.exceptions) {
    const op = index.at(exception.line)?.operation.op;
    if (op === undefined) continue;
    count(op, -1);
    metrics.operations.inc({ op, outcome: exception.outcome });
    if (exception.outcome === 'rejected') metrics.rejected.inc({ code: exception.code ?? 'unknown' });
  }
  for (const [op, by] of applied) if (by > 0) metrics.operations.inc({ op, outcome: 'applied' }, by);
}

/** The lines of a section before and after its members. */
function* outsideMembers(how: string, isRecreated: boolean, members: number, lines: number): Iterable<number> {
  const before = how === 'create' && isRecreated ? 2 : 1;
  for (let index = 0; index < before; index += 1) yield index;
  for (let index = before + members; index < lines; index += 1) yield index;
}
