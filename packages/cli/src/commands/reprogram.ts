import { countArgument } from '../arguments/count.ts';
import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';
import { printRun } from '../runs/print-run.ts';

interface ReprogramOptions {
  readonly all?: true;
  readonly maxelem?: number;
  readonly digest?: string;
  readonly reason?: string;
  readonly wait: boolean;
}

/** `reprogram GROUP... | --all`: writes whole sets again by temporary set and swap. */
export const addReprogram: AddCommand = (program, cli) => {
  program
    .command('reprogram')
    .description('write whole sets again by temporary set and swap; no reader sees a gap')
    .argument('[groups...]', 'these groups')
    .option('--all', 'every managed set')
    .option('--maxelem <n>', 'the new capacity, which is kept', countArgument(1, 4_294_967_295))
    .option('--digest <digest>', 'refuse if the plan is no longer the one with this digest')
    .option('--reason <text>', 'why; kept in the audit')
    .option('--no-wait', 'return at once')
    .action(
      cli.asking(async (tools, groups: string[], options: ReprogramOptions) => {
        const { all = false, maxelem, digest, reason, wait } = options;
        if (groups.length === 0 && !all) throw usageFailure('name at least one group, or say --all');
        if (groups.length > 0 && all) throw usageFailure('groups and --all exclude each other');
        const run = await tools.api.sets.reprogram.mutate({ groups, all, reprogram: true, maxelem, digest, reason });
        return printRun(tools, run, wait);
      }),
    );
};
