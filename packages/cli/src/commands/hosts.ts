import type { AddCommand } from '../cli.ts';
import { originOf } from './endpoints.ts';
import { printList } from './print-list.ts';

/** `hosts`: the hosts of the model. */
export const addHosts: AddCommand = (program, cli) => {
  program
    .command('hosts')
    .description('hosts of the model')
    .option('--filter <text>', 'only those with this in them')
    .action(
      cli.asking(async ({ api, out }, { filter }: { filter?: string }) => {
        await printList(out, {
          fetchPage: (page) => api.model.hosts.query({ ...page, filter }),
          columns: [
            { head: 'host', cell: (row) => row.id },
            { head: 'ipv4', cell: (row) => row.ipv4 },
            { head: 'ipv6', cell: (row) => row.ipv6 },
            { head: 'source', cell: (row) => originOf(row) },
          ],
          empty: 'the model has none',
        });
        return undefined;
      }),
    );
};
