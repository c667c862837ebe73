import type { Plan } from '@setkeeper/api';
import type { AddCommand, AgentTools } from '../cli.ts';
import { everyRow } from '../client/pages.ts';
import type { Output } from '../output/output.ts';

interface PlanOptions {
  readonly reprogram?: true;
}

const scriptLimit = 2_000_000;

/** `plan`: the exact restore script for what is pending and its digest. */
export const addPlan: AddCommand = (program, cli) => {
  program
    .command('plan')
    .description('the exact restore script and its digest; changes nothing')
    .argument('[groups...]', 'only these groups')
    .option('--reprogram', 'the plan of writing whole sets again')
    .action(
      cli.asking(async (tools, groups: string[], options: PlanOptions) => {
        await printPlan(tools.out, await wholePlan(tools, groups, options.reprogram === true));
        return undefined;
      }),
    );
};

/** A plan with its whole script, however long. */
async function wholePlan({ api }: AgentTools, groups: string[], reprogram: boolean): Promise<Plan> {
  const selection = { groups, reprogram, all: reprogram && groups.length === 0 };
  const plan = await api.plan.get.query({ ...selection, scriptLimit });
  if (!plan.scriptTruncated) return plan;
  const lines = await everyRow((page) => api.plan.lines.query({ ...selection, ...page, digest: plan.digest }));
  return { ...plan, script: lines.map((line) => `${line.text}\n`).join(''), scriptTruncated: false };
}

async function printPlan(out: Output, plan: Plan): Promise<void> {
  if (out.isJson) {
    await out.json(plan);
    return;
  }
  await out.artifact(plan.script);
  for (const set of plan.sets) {
    const blocked = set.blocked === undefined ? '' : `, blocked: ${set.blocked}`;
    await out.say(
      `${set.name} ${set.how}: +${set.adds} -${set.dels}, ${set.before} to ${set.after} members${blocked}`,
      set.blocked === undefined ? 'plain' : 'warn',
    );
  }
  await out.say(`${plan.lines} lines, digest ${plan.digest}`, 'strong');
}
