import { countArgument } from '../arguments/count.ts';
import type { AddCommand } from '../cli.ts';
import { printList } from './print-list.ts';

interface ChangesOptions {
  readonly kind?: 'model' | 'run' | 'drift' | 'operator' | 'source' | 'guard';
  readonly filter?: string;
  readonly limit?: number;
}

/** `changes`: one time line of model changes, runs, drift and operators' acts, newest first. */
export const addChanges: AddCommand = (program, cli) => {
  program
    .command('changes')
    .description("one time line of model changes, runs, drift and operators' acts, newest first")
    .option('--kind <kind>', 'model, run, drift, operator, source or guard')
    .option('--filter <text>', 'only changes with this in them')
    .option('--limit <n>', 'only the newest', countArgument(1))
    .action(
      cli.asking(async ({ api, out }, { limit, ...filters }: ChangesOptions) => {
        await printList(out, {
          fetchPage: (page) => api.changes.list.query({ ...page, ...filters }),
          limit,
          columns: [
            { head: 'at', cell: (change) => change.at },
            { head: 'kind', cell: (change) => change.kind },
            { head: 'actor', cell: (change) => change.actor },
            { head: 'what', cell: (change) => `${change.subject} ${change.text}` },
            { head: 'run', cell: (change) => change.run },
          ],
          empty: 'nothing has changed',
        });
        return undefined;
      }),
    );
};
