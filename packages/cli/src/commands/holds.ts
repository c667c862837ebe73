import type { AddCommand } from '../cli.ts';
import { printHolds } from './hold.ts';

/** `holds`: the holds that stand. */
export const addHolds: AddCommand = (program, cli) => {
  program
    .command('holds')
    .description('the holds that stand')
    .action(
      cli.asking(async ({ api, out }) => {
        await printHolds(out, await api.holds.list.query());
        return undefined;
      }),
    );
};
