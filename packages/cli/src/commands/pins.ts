import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import { printRows } from './print-list.ts';

/** `pins`: operators' references. */
export const addPins: AddCommand = (program, cli) => {
  program
    .command('pins')
    .description("operators' references")
    .action(
      cli.asking(async ({ api, out }) => {
        await printRows(
          out,
          await api.pins.list.query(),
          [
            { head: 'group', cell: (pin) => pin.group },
            { head: 'referrer', cell: (pin) => pin.referrer },
            { head: 'since', cell: (pin) => ago(pin.at, out.now()) },
            { head: 'by', cell: (pin) => pin.by },
            { head: 'reason', cell: (pin) => pin.reason },
          ],
          'nothing is pinned',
        );
        return undefined;
      }),
    );
};
