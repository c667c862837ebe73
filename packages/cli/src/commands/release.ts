import type { AddCommand } from '../cli.ts';
import { printRun } from '../runs/print-run.ts';

interface ReleaseOptions {
  readonly digest?: string;
  readonly reason?: string;
  readonly wait: boolean;
}

/** `release ID`: lets exactly this held change through, once. */
export const addRelease: AddCommand = (program, cli) => {
  program
    .command('release')
    .description('let exactly this held change through, once')
    .argument('<id>', 'the id of a held change')
    .option('--digest <digest>', 'refuse if the change is no longer the one with this digest')
    .option('--reason <text>', 'why; kept in the audit')
    .option('--no-wait', 'return at once')
    .action(
      cli.asking(async (tools, id: string, { digest, reason, wait }: ReleaseOptions) =>
        printRun(tools, await tools.api.held.release.mutate({ id, digest, reason }), wait),
      ),
    );
};
