import type { AddCommand } from '../cli.ts';
import { holdersText } from './holder-columns.ts';
import { printRows } from './print-list.ts';

/** `references [GROUP]`: named references, the kernel's number and the holders found, read anew. */
export const addReferences: AddCommand = (program, cli) => {
  program
    .command('references')
    .description('who needs each set: named references, the kernel number, and the holders found')
    .argument('[group]', 'only this group')
    .option('--filter <text>', 'only sets with this in their name')
    .action(
      cli.asking(async ({ api, out }, group: string | undefined, { filter }: { filter?: string }) => {
        const rows = await api.references.list.query({ group, filter });
        await printRows(
          out,
          rows,
          [
            { head: 'set', cell: (row) => row.name },
            { head: 'group', cell: (row) => row.group },
            { head: 'named', cell: (row) => row.named.map((named) => named.referrer).join(' ') },
            { head: 'kernel', align: 'right', cell: (row) => row.kernel },
            { head: 'unexplained', align: 'right', cell: (row) => row.unexplained },
            { head: 'holders', cell: (row) => holdersText(row.holders) },
            {
              head: 'possible',
              cell: (row) => (row.possibleHolders.length === 0 ? '' : holdersText(row.possibleHolders)),
            },
          ],
          'no set is referenced',
        );
        if (!out.isJson) {
          const unread = new Map(rows.flatMap((row) => row.unreadable).map((entry) => [entry.what, entry]));
          for (const { what, why, remedy } of unread.values())
            await out.say(`${what} could not be read: ${why}; remedy: ${remedy}`, 'warn');
        }
        return undefined;
      }),
    );
};
