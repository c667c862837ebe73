import type { AddCommand } from '../cli.ts';
import { printHolds } from './hold.ts';

/** `unhold`: ends holds; none named: every hold. */
export const addUnhold: AddCommand = (program, cli) => {
  program
    .command('unhold')
    .description('end holds; none named: every hold')
    .argument('[groups...]', 'these groups')
    .action(
      cli.asking(async ({ api, out }, groups: string[]) => {
        await printHolds(out, await api.holds.remove.mutate({ groups }));
        return undefined;
      }),
    );
};
