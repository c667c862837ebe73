import type { AddCommand } from '../cli.ts';
import { originOf } from './endpoints.ts';
import { printList } from './print-list.ts';

interface ProfilesOptions {
  readonly tag?: string;
  readonly filter?: string;
}

/** `profiles`: the profiles of the model with their tags. */
export const addProfiles: AddCommand = (program, cli) => {
  program
    .command('profiles')
    .description('profiles of the model with their tags')
    .option('--tag <tag>', 'only profiles that carry this tag')
    .option('--filter <text>', 'only profiles with this in them')
    .action(
      cli.asking(async ({ api, out }, options: ProfilesOptions) => {
        await printList(out, {
          fetchPage: (page) => api.model.profiles.query({ ...page, ...options }),
          columns: [
            { head: 'profile', cell: (row) => row.id },
            { head: 'tags', cell: (row) => row.tags.join(' ') },
            { head: 'endpoints', align: 'right', cell: (row) => row.endpoints },
            { head: 'source', cell: (row) => originOf(row) },
          ],
          empty: 'the model has no such profile',
        });
        return undefined;
      }),
    );
};
