import type { Plan } from '@setkeeper/api';
import type { AddCommand, AgentTools } from '../cli.ts';
import { everyRow } from '../client/pages.ts';
import { usageFailure } from '../failure.ts';
import { type OfflineOptions, offlinePlanCommand } from './offline-plan.ts';
import { printPlan } from './print-plan.ts';

interface PlanOptions extends Partial<OfflineOptions> {
  readonly reprogram?: true;
}

const scriptLimit = 2_000_000;

/** `plan`: the exact restore script for what is pending and its digest; with `--model` that of a change, without an agent. */
export const addPlan: AddCommand = (program, cli) => {
  const ask = cli.asking(async (tools, groups: string[], options: PlanOptions) => {
    const plan = await wholePlan(tools, groups, options.reprogram === true);
    if (tools.out.isJson) await tools.out.json(plan);
    else await printPlan(tools.out, plan);
    return undefined;
  });
  const compare = cli.local((tools, options: OfflineOptions) => offlinePlanCommand(tools, options));
  program
    .command('plan')
    .description('the exact restore script and its digest; changes nothing')
    .argument('[groups...]', 'only these groups')
    .option('--reprogram', 'the plan of writing whole sets again')
    .option('--model <dir>', 'what these model documents would do, without an agent; exit 1 if the guard would hold it')
    .option('--against <dir>', 'with --model: compare with this earlier model')
    .option('--against-save <file>', 'with --model: compare with these sets, output of ipset save; - is standard input')
    .option('--host <name>', 'with --model: count references for this host (default: for every host)')
    .option('--config <file>', 'with --model: an agent.yaml, for its sets and its guard')
    .action((groups: string[], options: PlanOptions) => {
      const { model, against, againstSave, host, config, reprogram } = options;
      if (model === undefined) {
        if ((against ?? againstSave ?? host ?? config) !== undefined)
          throw usageFailure('--against, --against-save, --host and --config go with --model');
        return ask(groups, options);
      }
      if (groups.length > 0 || reprogram === true)
        throw usageFailure('--model compares whole models: it takes no groups and no --reprogram');
      return compare({ ...options, model });
    });
};

/** A plan with its whole script, however long. */
async function wholePlan({ api }: AgentTools, groups: string[], reprogram: boolean): Promise<Plan> {
  const selection = { groups, reprogram, all: reprogram && groups.length === 0 };
  const plan = await api.plan.get.query({ ...selection, scriptLimit });
  if (!plan.scriptTruncated) return plan;
  const lines = await everyRow((page) => api.plan.lines.query({ ...selection, ...page, digest: plan.digest }));
  return { ...plan, script: lines.map((line) => `${line.text}\n`).join(''), scriptTruncated: false };
}
