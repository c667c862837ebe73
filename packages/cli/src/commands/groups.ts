import type { AddCommand } from '../cli.ts';
import { printList } from './print-list.ts';

interface GroupsOptions {
  readonly kind?: 'tag' | 'port' | 'net' | 'list' | 'hosts';
  readonly filter?: string;
}

/** `groups`: the groups of the model, referenced or not. */
export const addGroups: AddCommand = (program, cli) => {
  program
    .command('groups')
    .description('groups of the model, referenced or not')
    .option('--kind <kind>', 'tag, port, net, list or hosts')
    .option('--filter <text>', 'only groups with this in their id')
    .action(
      cli.asking(async ({ api, out }, options: GroupsOptions) => {
        await printList(out, {
          fetchPage: (page) => api.model.groups.query({ ...page, kind: options.kind, filter: options.filter }),
          columns: [
            { head: 'group', cell: (row) => row.id },
            { head: 'defined', cell: (row) => (row.defined ? 'yes' : ['no', 'warn']) },
            { head: 'referenced', cell: (row) => (row.referenced ? 'yes' : ['no', 'dim']) },
            { head: 'inet', align: 'right', cell: (row) => row.members.inet },
            { head: 'inet6', align: 'right', cell: (row) => row.members.inet6 },
            { head: 'endpoints', align: 'right', cell: (row) => row.endpoints },
            { head: 'kernel names', cell: (row) => Object.values(row.names).join(' ') },
          ],
          empty: 'the model has no such group',
        });
        return undefined;
      }),
    );
};
