import type { AddCommand } from '../cli.ts';
import { originOf } from './endpoints.ts';
import { printList } from './print-list.ts';

/** `lists`: the lists (sets of sets) of the model. */
export const addLists: AddCommand = (program, cli) => {
  program
    .command('lists')
    .description('lists (sets of sets) of the model')
    .option('--filter <text>', 'only those with this in them')
    .action(
      cli.asking(async ({ api, out }, { filter }: { filter?: string }) => {
        await printList(out, {
          fetchPage: (page) => api.model.lists.query({ ...page, filter }),
          columns: [
            { head: 'list', cell: (row) => row.id },
            { head: 'members', cell: (row) => row.members.join(' ') },
            { head: 'source', cell: (row) => originOf(row) },
          ],
          empty: 'the model has none',
        });
        return undefined;
      }),
    );
};
