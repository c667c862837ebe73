import type { AddCommand } from '../cli.ts';
import { printList } from './print-list.ts';

interface EndpointsOptions {
  readonly profile?: string;
  readonly tag?: string;
  readonly filter?: string;
}

/** `endpoints`: the endpoints of the model with their groups. */
export const addEndpoints: AddCommand = (program, cli) => {
  program
    .command('endpoints')
    .description('endpoints of the model with their groups')
    .option('--profile <id>', 'only endpoints of this profile')
    .option('--tag <tag>', 'only endpoints in this tag')
    .option('--filter <text>', 'only endpoints with this in them')
    .action(
      cli.asking(async ({ api, out }, options: EndpointsOptions) => {
        await printList(out, {
          fetchPage: (page) => api.model.endpoints.query({ ...page, ...options }),
          columns: [
            { head: 'endpoint', cell: (row) => row.id },
            { head: 'active', cell: (row) => (row.active ? 'yes' : ['no', 'warn']) },
            { head: 'profiles', cell: (row) => row.profiles.join(' ') },
            { head: 'addresses', cell: (row) => [...row.ipv4, ...row.ipv6].join(' ') },
            { head: 'groups', cell: (row) => row.groups.join(' ') },
            { head: 'source', cell: (row) => originOf(row) },
          ],
          empty: 'the model has no such endpoint',
        });
        return undefined;
      }),
    );
};

/** Where an object comes from, and whose it keeps out: `directory web.yaml:12 (wins over declared)`. */
export function originOf(row: {
  readonly source: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly lastGood: boolean;
  readonly conflicts: readonly string[];
}): string {
  const place = row.file === undefined ? '' : ` ${row.file}${row.line === undefined ? '' : `:${row.line}`}`;
  const losers = row.conflicts.length === 0 ? '' : ` (wins over ${row.conflicts.join(', ')})`;
  return `${row.source}${place}${row.lastGood ? ' (last good)' : ''}${losers}`;
}
