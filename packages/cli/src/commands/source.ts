import type { AddCommand } from '../cli.ts';
import { printSources } from './sources.ts';

/** `source accept NAME --reason R`: takes what a source now says as complete. */
export const addSource: AddCommand = (program, cli) => {
  program
    .command('source')
    .description('act on one source')
    .command('accept')
    .description('take what a source now says as complete')
    .argument('<name>', 'the name of the source')
    .requiredOption('--reason <text>', 'why; kept in the audit')
    .action(
      cli.asking(async ({ api, out }, name: string, { reason }: { reason: string }) => {
        await api.sources.accept.mutate({ name, reason });
        await printSources(out, await api.sources.list.query());
        return undefined;
      }),
    );
};
