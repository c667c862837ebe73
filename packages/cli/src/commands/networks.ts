import type { AddCommand } from '../cli.ts';
import { originOf } from './endpoints.ts';
import { printList } from './print-list.ts';

/** `networks`: the networks of the model. */
export const addNetworks: AddCommand = (program, cli) => {
  program
    .command('networks')
    .description('networks of the model')
    .option('--filter <text>', 'only those with this in them')
    .action(
      cli.asking(async ({ api, out }, { filter }: { filter?: string }) => {
        await printList(out, {
          fetchPage: (page) => api.model.networks.query({ ...page, filter }),
          columns: [
            { head: 'network', cell: (row) => row.id },
            { head: 'nets', align: 'right', cell: (row) => row.nets },
            { head: 'except', align: 'right', cell: (row) => row.except },
            { head: 'files', cell: (row) => row.files.join(' ') },
            { head: 'source', cell: (row) => originOf(row) },
          ],
          empty: 'the model has none',
        });
        return undefined;
      }),
    );
};
