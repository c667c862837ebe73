import type { AddCommand } from '../cli.ts';
import { holdersText } from './holder-columns.ts';
import { printRows } from './print-list.ts';

/** `leftovers`: what cleanup could remove, headers and holders read anew. */
export const addLeftovers: AddCommand = (program, cli) => {
  program
    .command('leftovers')
    .description('sets of ours that no managed set owns: what cleanup could remove')
    .option('--filter <text>', 'only sets with this in their name')
    .action(
      cli.asking(async ({ api, out }, { filter }: { filter?: string }) => {
        const { items, digest } = await api.leftovers.list.query({ filter });
        await printRows(
          out,
          items,
          [
            { head: 'name', cell: (row) => row.name },
            { head: 'type', cell: (row) => row.type },
            { head: 'form', cell: (row) => row.form },
            { head: 'entries', align: 'right', cell: (row) => row.entries },
            { head: 'references', align: 'right', cell: (row) => row.references },
            { head: 'eligible', cell: (row) => (row.eligible ? ['yes', 'good'] : ['no', 'warn']) },
            { head: 'reason', cell: (row) => row.reason },
            { head: 'holders', cell: (row) => holdersText(row.holders) },
          ],
          'there is no leftover',
        );
        if (!out.isJson && items.length > 0)
          await out.say(`${items.filter((row) => row.eligible).length} eligible, digest ${digest}`);
        return undefined;
      }),
    );
};
