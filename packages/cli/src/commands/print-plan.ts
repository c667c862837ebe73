import type { Plan } from '@setkeeper/api';
import type { Output } from '../output/output.ts';

/** Prints a plan: its script as data, what it does to each set beside it. */
export async function printPlan(out: Output, plan: Plan): Promise<void> {
  await out.artifact(plan.script);
  for (const set of plan.sets) {
    const blocked = set.blocked === undefined ? '' : `, blocked: ${set.blocked}`;
    const group = set.group === null ? '' : ` (${set.group})`;
    await out.say(
      `${set.name}${group} ${set.how}: +${set.adds} -${set.dels}, ${set.before} to ${set.after} members${blocked}`,
      set.blocked === undefined ? 'plain' : 'warn',
    );
  }
  await out.say(`${plan.lines} lines, digest ${plan.digest}`, 'strong');
}
