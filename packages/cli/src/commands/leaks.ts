import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import { holdersText } from './holder-columns.ts';
import { printRows } from './print-list.ts';

/** `leaks`: lasting unexplained references, and named ones whose referrer is gone. */
export const addLeaks: AddCommand = (program, cli) => {
  program
    .command('leaks')
    .description('lasting unexplained references, and named ones whose referrer is gone')
    .action(
      cli.asking(async ({ api, out }) => {
        await printRows(
          out,
          await api.leaks.list.query(),
          [
            { head: 'kind', cell: (leak) => leak.kind },
            { head: 'set', cell: (leak) => leak.name },
            { head: 'group', cell: (leak) => leak.group },
            { head: 'count', align: 'right', cell: (leak) => leak.count },
            { head: 'since', cell: (leak) => ago(leak.since, out.now()) },
            { head: 'possible holders', cell: (leak) => holdersText(leak.possibleHolders) },
            { head: 'advice', cell: (leak) => leak.advice },
          ],
          'there is no leak',
        );
        return undefined;
      }),
    );
};
