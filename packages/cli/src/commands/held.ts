import type { Held } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import type { Output } from '../output/output.ts';
import { printRows } from './print-list.ts';

/** `held`: what the guard stopped. */
export const addHeld: AddCommand = (program, cli) => {
  program
    .command('held')
    .description('changes that the guard stopped: additions are in, removals wait')
    .action(
      cli.asking(async ({ api, out }) => {
        await printHeld(out, await api.held.list.query());
        return undefined;
      }),
    );
};

/** Prints held changes. */
export async function printHeld(out: Output, held: readonly Held[]): Promise<void> {
  await printRows(
    out,
    held,
    [
      { head: 'id', cell: (change) => change.id },
      { head: 'state', cell: (change) => [change.state, 'warn'] },
      { head: 'since', cell: (change) => ago(change.at, out.now()) },
      { head: 'source', cell: (change) => [change.source, ...change.files.slice(0, 3)].join(' ') },
      { head: 'objects', align: 'right', cell: (change) => change.objects },
      { head: 'removes', align: 'right', cell: (change) => change.removes },
      {
        head: 'sets',
        cell: (change) =>
          change.sets
            .slice(0, 5)
            .map((set) => `${set.group}${set.family === null ? '' : ` ${set.family}`} -${set.removes} of ${set.of}`)
            .join(', ') + (change.sets.length > 5 ? `, and ${change.sets.length - 5} more` : ''),
      },
      { head: 'why', cell: (change) => change.why.join('; ') },
      { head: 'digest', cell: (change) => change.digest },
    ],
    'nothing is held',
  );
}
