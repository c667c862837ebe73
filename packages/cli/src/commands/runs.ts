import { countArgument } from '../arguments/count.ts';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import { toneOf } from '../output/tone.ts';
import { printList } from './print-list.ts';

interface RunsOptions {
  readonly failed?: true;
  readonly set?: string;
  readonly limit?: number;
}

/** `runs`: runs, newest first. */
export const addRuns: AddCommand = (program, cli) => {
  program
    .command('runs')
    .description('runs, newest first')
    .option('--failed', 'only runs that ended partly, failed or interrupted')
    .option('--set <name>', 'only runs that touched this kernel set')
    .option('--limit <n>', 'only the newest', countArgument(1))
    .action(
      cli.asking(async ({ api, out }, { failed, set, limit }: RunsOptions) => {
        await printList(out, {
          fetchPage: (page) => api.runs.list.query({ ...page, failed: failed === true, set }),
          limit,
          columns: [
            { head: 'run', cell: (run) => run.id },
            { head: 'when', cell: (run) => ago(run.at, out.now()) },
            { head: 'phase', cell: (run) => [run.phase, toneOf(run.phase)] },
            { head: 'cause', cell: (run) => run.cause },
            { head: 'actor', cell: (run) => run.actor },
            { head: 'sets', align: 'right', cell: (run) => run.sets },
            { head: 'applied', align: 'right', cell: (run) => run.operations.applied },
            { head: 'rejected', align: 'right', cell: (run) => run.operations.rejected },
            { head: 'skipped', align: 'right', cell: (run) => run.operations.skipped },
            { head: 'not run', align: 'right', cell: (run) => run.operations.notRun },
            { head: 'ms', align: 'right', cell: (run) => Math.round(run.durationMs) },
          ],
          empty: 'no run fits',
        });
        return undefined;
      }),
    );
};
