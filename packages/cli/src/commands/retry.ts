import type { AddCommand } from '../cli.ts';
import { printRun } from '../runs/print-run.ts';

/** `retry RUN`: the parked of a run, now. */
export const addRetry: AddCommand = (program, cli) => {
  program
    .command('retry')
    .description('try the parked members and operations of a run again, now')
    .argument('<run>', 'the id of a run')
    .option('--no-wait', 'return at once')
    .action(
      cli.asking(async (tools, id: string, { wait }: { wait: boolean }) =>
        printRun(tools, await tools.api.runs.retry.mutate({ id }), wait),
      ),
    );
};
