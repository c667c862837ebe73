import type { AddCommand } from '../cli.ts';
import { printRows } from './print-list.ts';

interface KernelOptions {
  readonly owner?: 'managed' | 'leftover' | 'temporary' | 'internal' | 'foreign';
  readonly filter?: string;
}

/** `kernel`: every set of the host, headers read anew. */
export const addKernel: AddCommand = (program, cli) => {
  program
    .command('kernel')
    .description('every set of the host, by ownership')
    .option('--owner <owner>', 'managed, leftover, temporary, internal or foreign')
    .option('--filter <text>', 'only sets with this in their name')
    .action(
      cli.asking(async ({ api, out }, options: KernelOptions) => {
        await printRows(
          out,
          await api.kernel.list.query(options),
          [
            { head: 'name', cell: (set) => set.name },
            { head: 'type', cell: (set) => set.type },
            { head: 'family', cell: (set) => set.family },
            { head: 'entries', align: 'right', cell: (set) => set.entries },
            { head: 'references', align: 'right', cell: (set) => set.references },
            { head: 'bytes', align: 'right', cell: (set) => set.memoryBytes },
            { head: 'owner', cell: (set) => set.owner },
            { head: 'group', cell: (set) => set.group },
            {
              head: 'note',
              cell: (set) =>
                set.readable
                  ? (set.note ?? (set.byName === undefined ? '' : `${set.byName}, by its name`))
                  : [`unreadable: ${set.unreadableWhy ?? ''}`, 'bad'],
            },
          ],
          'the host has no set',
        );
        return undefined;
      }),
    );
};
